/* The timer for balancing, which Python does while packets stand still. */
#include "threads/interval.inc.h"
