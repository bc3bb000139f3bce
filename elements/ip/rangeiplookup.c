#include "ip/ip.h"
#include "ip/fib.h"
