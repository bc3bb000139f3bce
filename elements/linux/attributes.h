/* The attributes of a message of rtnetlink. */
#pragma once

#include <libmnl/libmnl.h>

#define MOST_ATTRIBUTES 64	/* more than there are of links, neighbours, rules and routes */

/* The last attribute of each type. */
struct attributes {
	const struct nlattr *of[MOST_ATTRIBUTES];
};

/* For mnl_attr_parse(), with a struct attributes of zeros. */
static inline int attributes_note(const struct nlattr *attribute, void *data)
{
	struct attributes *found = data;

	if (mnl_attr_get_type(attribute) < MOST_ATTRIBUTES)
		found->of[mnl_attr_get_type(attribute)] = attribute;
	return MNL_CB_OK;
}
