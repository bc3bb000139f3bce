/* Variables of a router's code that last longer than the code: another object, better optimised or for other arguments, takes the first
 * one's place and goes on with the variables of that (exchange.c). Code therefore reaches them by pointers.
 */
#pragma once

#include "base.h"

/* A pointer to a variable, which name, line and size identify in both objects; those to variables of other elements have line 0. */
struct lasting {
	const char *name;
	__u32 line, size;
	void **at;
};

/* Those of an object, an array between two addresses. */
struct lasting_table {
	const struct lasting *first, *end;
};

extern const struct lasting __start_lasting[] __attribute__((weak, visibility("hidden")));
extern const struct lasting __stop_lasting[] __attribute__((weak, visibility("hidden")));
#define LASTING_TABLE {__start_lasting, __stop_lasting}

/* What an object may have in sections of its own: a router whose object has variables elsewhere can't change to another object
 * (clickbpf.build.exchangeable).
 */
#define LASTS __attribute__((section("lasting_variables")))
/* A variable whose content nobody needs after the call that writes it. It takes no room in the file: the section's name makes it one of
 * zeros, and build/host.py has the linker keep it apart from .bss.
 */
#define SCRATCH __attribute__((section(".bss.scratch")))
/* A variable that `bind` sets in each object. */
#define OBJECTS_OWN __attribute__((section("objects_own")))

#define LASTING_ENTRY(entry, name, line, type, pointer)                                                                        \
	static const struct lasting entry __attribute__((section("lasting"), used, aligned(sizeof(void *)))) = {               \
		name, line, sizeof(type), (void **)&pointer                                                                    \
	}

/* `pointer`, a static pointer to a variable `own` of this type, which is 0 unless a later definition gives it another value. */
#define LASTING_AS(type, pointer, own) LASTING_NAMED(type, pointer, own, #pointer)
/* The same in a function. */
#define LASTING_HERE(type, pointer, own) LASTING_NAMED(type, pointer, own, __func__)
#define LASTING_NAMED(type, pointer, own, name)  \
	static type own LASTS;                   \
	static type *pointer LASTS = &own;       \
	LASTING_ENTRY(pointer##_lasting, name, __LINE__, type, pointer)
/* `pointer`, the static pointer of another element to a variable of its own: that element's text may be still to come, or be in another
 * object, for which there is this entry.
 */
#define LASTING_OTHERS(type, pointer, entry) \
	static type *pointer LASTS;          \
	LASTING_ENTRY(entry, #pointer, 0, type, pointer)
