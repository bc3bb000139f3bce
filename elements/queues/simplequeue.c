#include "queues/queue.c"
