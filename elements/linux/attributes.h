/* The attributes of a message of rtnetlink. */
#pragma once

#include <libmnl/libmnl.h>

#define MOST_ATTRIBUTES 64	/* more than links, neighbours, rules and routes have */

/* The last attribute of each type. */
struct attributes {
	const struct nlattr *of[MOST_ATTRIBUTES];
};

/* Callback for mnl_attr_parse(); `data` is a zeroed struct attributes. */
static inline int attributes_note(const struct nlattr *attribute, void *data)
{
	struct attributes *found = data;

	if (mnl_attr_get_type(attribute) < MOST_ATTRIBUTES)
		found->of[mnl_attr_get_type(attribute)] = attribute;
	return MNL_CB_OK;
}
