/* Balancing is done in Python, while packets stand still; this file has its timer. */
#include "threads/interval.inc.h"
