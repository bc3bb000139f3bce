#include "tcpudp/udpencap.inc.h"
