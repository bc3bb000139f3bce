#include "devices/fromdpdkdevice.c"
