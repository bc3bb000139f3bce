#include "devices/tohost.c"
