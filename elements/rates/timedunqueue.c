/* TimedUnqueue: pull-to-push converter that runs once in an interval. */
#include "rates/timedunqueue.inc.h"
