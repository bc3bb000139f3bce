#include "ip/ip.h"
#include "ip/fib.inc.h"
