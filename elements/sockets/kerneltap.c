#include "sockets/kerneltun.c"
