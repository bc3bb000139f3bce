#include "ip/unstripipheader.c"
