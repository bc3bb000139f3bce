/* Routing tables' messages about packets without a route. */
#pragma once

#include "ip6/ip6.h"

/* An IPv6 address in a message: the eight groups of an address in network byte order. */
#define IP6_GROUP(address, i) ntohs(word16((address) + 2 * (i)))

#define tell_no_route6(level, to)                                                                                            \
	warn(level, "%s: no route for %x:%x:%x:%x:%x:%x:%x:%x", SELF(name), IP6_GROUP(to, 0), IP6_GROUP(to, 1), IP6_GROUP(to, 2), \
	     IP6_GROUP(to, 3), IP6_GROUP(to, 4), IP6_GROUP(to, 5), IP6_GROUP(to, 6), IP6_GROUP(to, 7))
