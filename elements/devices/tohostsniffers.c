/* ToHostSniffers: shows packets to sniffers, such as tcpdump. */
#include "devices/tohost.c"
