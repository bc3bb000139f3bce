/* UnstripIP6Header: brings back the IPv6 header that was removed. */
#include "ip/unstripipheader.c"
