/* SimpleQueue: stores packets in a FIFO queue, and lets sources push when it is full. */
#include "queues/queue.c"
