/* Variables that outlive the code which defines them: when another object, better optimised or with other arguments, replaces a
 * router's code (exchange.c), it continues with the first object's variables. Code therefore accesses them by pointers.
 */
#pragma once

#include "base.h"

/* A pointer to a variable. Name, line and size identify the variable in both objects. */
struct lasting {
	const char *name;
	__u32 line, size;
	void **at;
};

/* All entries of an object, an array between two addresses. */
struct lasting_table {
	const struct lasting *first, *end;
};

extern const struct lasting __start_lasting[] __attribute__((weak, visibility("hidden")));
extern const struct lasting __stop_lasting[] __attribute__((weak, visibility("hidden")));
#define LASTING_TABLE {__start_lasting, __stop_lasting}

/* Sections for all variables of an object. An object with variables elsewhere can't be exchanged (clickbpf.build.exchangeable). */
#define LASTS __attribute__((section("lasting_variables")))
/* A variable whose content isn't needed after the call that writes it. By its name the section is zero-initialised and takes no
 * room in the file; build/host.py makes the linker keep it apart from .bss.
 */
#define SCRATCH __attribute__((section(".bss.scratch")))
/* A variable that each object has for itself, set by `bind`. */
#define OBJECTS_OWN __attribute__((section("objects_own")))

#define LASTING_ENTRY(entry, name, line, type, pointer)                                                                        \
	static const struct lasting entry __attribute__((section("lasting"), used, aligned(sizeof(void *)))) = {               \
		name, line, sizeof(type), (void **)&pointer                                                                    \
	}

/* Defines the variable `own`, zero unless a later definition initialises it, and `pointer` to it. */
#define LASTING_AS(type, pointer, own) LASTING_NAMED(type, pointer, own, #pointer)
/* The same in a function. */
#define LASTING_HERE(type, pointer, own) LASTING_NAMED(type, pointer, own, __func__)
#define LASTING_NAMED(type, pointer, own, name)  \
	static type own LASTS;                   \
	static type *pointer LASTS = &own;       \
	LASTING_ENTRY(pointer##_lasting, name, __LINE__, type, pointer)
