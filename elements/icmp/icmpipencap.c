/* ICMPIPEncap: puts packets into ICMP messages. */
#include "icmp/encap.inc.h"
