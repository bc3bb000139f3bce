/* The balance is struck in Python, while the packets stand still; here is its clock. */
#include "threads/interval.inc.h"
