/* Replaces a running router's code by another object: better optimised, or with other arguments of elements. */
#include <errno.h>
#include <string.h>
#include "runtime.h"

static bool same_shape(const struct router_code *a, const struct router_code *b)
{
	return a->elements == b->elements && a->devices == b->devices && a->states == b->states && a->tasks == b->tasks &&
	       a->timers == b->timers && a->events == b->events &&
	       a->lasting.end - a->lasting.first == b->lasting.end - b->lasting.first;
}

static bool same_variable(const struct lasting *a, const struct lasting *b)
{
	return a->size == b->size && a->line == b->line && !strcmp(a->name, b->name);
}

/* The entry of the same variable, usually at the same index; or NULL. */
static const struct lasting *find(const struct lasting_table *table, const struct lasting *wanted, long place)
{
	if (place < table->end - table->first && same_variable(&table->first[place], wanted))
		return &table->first[place];
	for (const struct lasting *entry = table->first; entry < table->end; entry++)
		if (same_variable(entry, wanted))
			return entry;
	return NULL;
}

/* Let the code of `to` use the variables of `from`; -EINVAL if `from` lacks one of them. */
static int lasting_share(const struct lasting_table *to, const struct lasting_table *from)
{
	for (long i = 0; i < to->end - to->first; i++)
		if (!find(from, &to->first[i], i))
			return -EINVAL;
	for (long i = 0; i < to->end - to->first; i++)
		*to->first[i].at = *find(from, &to->first[i], i)->at;
	return 0;
}

int runtime_exchange(struct runtime *runtime, const struct router_code *code, const struct memory *memory)
{
	const struct router_code *places = runtime->places;
	int error;

	if (runtime->trace)
		return -EBUSY;
	if (!same_shape(code, places) || lasting_share(&code->lasting, &places->lasting))
		return -EINVAL;
	if (runtime->counted && (error = switch_sites(&code->sites, true)))
		return error;
	for (__u32 i = 0; i < code->tasks; i++)
		places->task[i]->run = code->task[i]->run;
	for (__u32 i = 0; i < code->timers; i++)
		places->timer[i]->run = code->timer[i]->run;
	for (__u32 i = 0; i < code->events; i++)
		places->event[i]->run = code->event[i]->run;
	code->bind(memory);
	runtime->code = code;
	return 0;
}

bool runtime_is_still(struct runtime *runtime)
{
	return !atomic_load(&runtime->away);
}
