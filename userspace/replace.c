/* Replaces an element's code while the router runs, because the element was given other arguments. */
#include <errno.h>
#include "runtime.h"

int runtime_replace(struct runtime *runtime, __u32 element, const struct element_code *code, const struct memory *memory)
{
	const struct replaceable *sides = runtime->code->replaceable, *place = runtime->places->replaceable;

	for (; place->sides && place->element != element; place++)
		sides++;
	if (!place->sides || lasting_share(&code->lasting, &runtime->places->lasting))
		return -EINVAL;
	code->bind(memory, sides->sides);
	*place->other = code;
	return 0;
}

bool runtime_is_still(struct runtime *runtime)
{
	return !atomic_load(&runtime->away);
}
