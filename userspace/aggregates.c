/* Lists of elements that are notified when a flow begins and when it ends. */
#include "aggregates.h"
#include <stdlib.h>
#include "thread.h"

/* One list for each element that has ever had listeners. They are few and never freed, so pointers to them stay valid. */
struct list {
	struct list *next;
	const struct runtime *runtime;
	__u32 element;
	struct aggregate_listener *first;
};

static struct list *lists;
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

static struct list *find(const struct runtime *runtime, __u32 element)
{
	for (struct list *list = lists; list; list = list->next)
		if (list->runtime == runtime && list->element == element)
			return list;
	return NULL;
}

static struct list *add(const struct runtime *runtime, __u32 element)
{
	struct list *list = calloc(1, sizeof(*list));

	if (!list)
		return NULL;
	*list = (struct list){.next = lists, .runtime = runtime, .element = element};
	lists = list;
	return list;
}

struct aggregate_listener **aggregate_listeners(__u32 element)
{
	static struct aggregate_listener *nobody;
	struct list *list;

	pthread_mutex_lock(&lock);
	list = find(current->runtime, element) ?: add(current->runtime, element);
	pthread_mutex_unlock(&lock);
	return list ? &list->first : &nobody;
}

void aggregate_listen(__u32 element, struct aggregate_listener *listener)
{
	struct aggregate_listener **listeners = aggregate_listeners(element);

	listener->next = *listeners;
	*listeners = listener;
}

void aggregate_unlisten(__u32 element, struct aggregate_listener *listener)
{
	struct aggregate_listener **at = aggregate_listeners(element);

	while (*at && *at != listener)
		at = &(*at)->next;
	if (*at)
		*at = listener->next;
}
