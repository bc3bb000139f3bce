/* ICMP6Checksum: computes ICMPv6 checksums of IPv6 packets. */
#include "ip6/setchecksum.inc.h"
