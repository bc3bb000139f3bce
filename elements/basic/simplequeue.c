#include "basic/queue.c"
