/* UDPIPEncap: puts packets into UDP and IP headers. */
#include "tcpudp/udpencap.inc.h"
