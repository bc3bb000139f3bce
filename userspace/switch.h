/* A branch in a router's code that costs one no-op while it is off: switching it on, while no packet moves, replaces the no-op by a
 * jump, as Linux's static keys do.
 */
#pragma once

#include "base.h"

/* The addresses of such a branch and of its target, both relative to the field itself. */
struct switch_site {
	__s32 at, to;
};

/* The branches of a router, an array between two addresses; `traced` is the variable tested instead on machines without code
 * patching.
 */
struct switch_sites {
	const struct switch_site *first, *end;
	bool *traced;
};

#ifdef __x86_64__
/* Whether packets are traced. */
static __always_inline bool router_is_traced(void)
{
	asm goto("1:\n\t"
		 ".byte 0x0f, 0x1f, 0x44, 0x00, 0x00\n\t"
		 ".pushsection trace_sites, \"a\"\n\t"
		 ".balign 4\n\t"
		 ".long 1b - .\n\t"
		 ".long %l[on] - .\n\t"
		 ".popsection"
		 :
		 :
		 :
		 : on);
	return false;
on:
	return true;
}

extern const struct switch_site __start_trace_sites[] __attribute__((weak, visibility("hidden")));
extern const struct switch_site __stop_trace_sites[] __attribute__((weak, visibility("hidden")));
#define SWITCH_SITES {__start_trace_sites, __stop_trace_sites, NULL}
#else
static bool router_traced __attribute__((section("objects_own")));

static __always_inline bool router_is_traced(void)
{
	return unlikely(router_traced);
}
#define SWITCH_SITES {NULL, NULL, &router_traced}
#endif

/* Switch all of them. No thread may be in the router's code, or enter it meanwhile. 0 or -errno. */
int switch_sites(const struct switch_sites *sites, bool on);
