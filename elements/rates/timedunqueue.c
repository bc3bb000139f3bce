#include "rates/timedunqueue.h"
