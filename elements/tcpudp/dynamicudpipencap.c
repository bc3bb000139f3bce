/* DynamicUDPIPEncap: puts packets into UDP and IP headers, with ports that change. */
#include "tcpudp/udpencap.inc.h"
