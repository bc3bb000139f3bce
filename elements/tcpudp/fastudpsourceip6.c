/* FastUDPSourceIP6: generates UDP packets over IPv6. */
#include "tcpudp/fastudpsource.c"
