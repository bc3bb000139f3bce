#include "icmp/encap.inc.h"
