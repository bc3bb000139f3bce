/* SetUDPChecksumIP6: computes UDP checksums of IPv6 packets. */
#include "ip6/setchecksum.inc.h"
