#include "rates/timedunqueue.inc.h"
