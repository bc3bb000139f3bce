#include "ip/checkipheader.c"
