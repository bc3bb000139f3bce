#include "tcpudp/udpencap.h"
