/* Burster: pull-to-push converter that sends a burst each interval. */
#include "rates/timedunqueue.inc.h"
