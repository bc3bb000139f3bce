/* StripIP6Header: removes the outermost IPv6 header with its extension headers. */
#include "ip/stripipheader.c"
