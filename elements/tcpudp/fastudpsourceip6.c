/* FastUDPSourceIP6: generates UDP packets in IPv6 packets. */
#include "tcpudp/fastudpsource.c"
