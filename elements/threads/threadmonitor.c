/* The report is written in Python; this file has its timer. */
#include "threads/interval.inc.h"
