/* The timer for the report, which Python writes. */
#include "threads/interval.inc.h"
