/* Lists of structures with an embedded link, in the order in which they were added. A list is a ring of links with one of its own. A link
 * is alone, or in one list.
 */
#pragma once

#include "base.h"

struct link {
	struct link *before, *after;
};

/* Begin a list, or a link, which is alone. */
static inline void link_begin(struct link *link)
{
	link->before = link->after = link;
}

static inline bool link_is_alone(const struct link *link)
{
	return link->after == link;
}

static inline void link_remove(struct link *link)
{
	link->before->after = link->after;
	link->after->before = link->before;
	link_begin(link);
}

/* Add a link at the list's end. */
static inline void link_add(struct link *list, struct link *link)
{
	link->before = list->before;
	link->after = list;
	list->before->after = link;
	list->before = link;
}

/* The first structure in a list, or NULL. */
#define link_first(list, type, member) (link_is_alone(list) ? NULL : container_of((list)->after, type, member))
