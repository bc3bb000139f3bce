#include "icmp/encap.h"
