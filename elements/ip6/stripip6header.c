#include "ip/stripipheader.c"
