#include "ip6/setchecksum.h"
