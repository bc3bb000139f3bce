/* ICMPPingEncap: puts packets into ICMP echo requests. */
#include "icmp/encap.inc.h"
