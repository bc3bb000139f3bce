/* The report is written in Python; here is its clock. */
#include "threads/interval.inc.h"
