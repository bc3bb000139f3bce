/* SetTCPChecksumIP6: computes TCP checksums of IPv6 packets. */
#include "ip6/setchecksum.inc.h"
