#include "ip6/setchecksum.inc.h"
