/* KernelTap: makes a network device for Linux, for Ethernet frames. */
#include "sockets/kerneltun.c"
