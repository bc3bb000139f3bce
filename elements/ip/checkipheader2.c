/* CheckIPHeader2: checks IP headers, but not their checksums. */
#include "ip/checkipheader.c"
