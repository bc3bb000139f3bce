"""What the kernel path reads of a neighbour whose place in the cache another gets meanwhile."""

from __future__ import annotations

from tests.elements.stepping import ONLY_HERE, readings

#: The place that all addresses have is an array of one; `number` is in the word's upper bytes.
CACHE = """
#define SELF_NAME test

struct test_vars {
	__u64 key[2];
} test_vars;
struct test_cache {
	__u64 high, low, word;
} slot_;

static struct test_vars *test_vars_at(__u32 index)
{
	return &test_vars + index;
}

static struct test_cache *test_cache_at(__u32 index)
{
	(void)index;
	return &slot_;
}

enum { test_HINTS = 256 };

/* A hint of the slot that all addresses have. */
struct test_hints {
	__u32 slot;
} test_hints;

static struct test_hints *test_hints_at(__u32 index)
{
	(void)index;
	return &test_hints;
}

#include "ip6/ndcache.inc.h"

enum { MISSED, RIGHT, WRONG };

static const __u8 one[16] = {0xfe, 0x80, [15] = 1}, other[16] = {0x20, 1, [15] = 2};
static const __u8 ether[2][6] = {{2, 0, 0, 0, 0, 1}, {2, 0, 0, 0, 0, 2}};

static void prepare(void)
{
	test_publish(one, ether[0]);
}

static void change(void)
{
	test_publish(other, ether[1]);
}

static int read_it(void)
{
	__u32 slot_found;
	const struct test_neighbour who = test_neighbour_of(wanted ? other : one);
	__u64 found = test_hinted(who);

	if (!found)
		found = test_hashed(who, &slot_found);

	if (!found)
		return MISSED;
	return __builtin_memcmp(&found, ether[wanted], 6) ? WRONG : RIGHT;
}
"""
MISSED, RIGHT, WRONG = range(3)


@ONLY_HERE
def test_a_neighbour_never_gets_another_ones_address(tmp_path):
    for wanted, first, last in ((0, MISSED, RIGHT), (1, RIGHT, MISSED)):
        found = readings(f"enum {{ wanted = {wanted} }};\n{CACHE}", tmp_path)
        assert WRONG not in found
        assert (found[0], found[-1]) == (first, last)
