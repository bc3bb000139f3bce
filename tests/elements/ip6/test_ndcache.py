"""What the kernel path reads of a neighbour whose place in the cache another gets meanwhile."""

import pytest
from tests.elements.stepping import ONLY_HERE, readings

#: `one` and `other` have the same first slot, and with `apart` another slot, the same too, for their second.
CACHE = """
#define SELF_NAME test

struct test_vars {
	__u64 key[2];
} test_vars;
struct test_cache {
	__u64 high, low, word;
} slots_[2];

static struct test_vars *test_vars_at(__u32 index)
{
	return &test_vars + index;
}

static bool is_second(__u32 index);

static struct test_cache *test_cache_at(__u32 index)
{
	return &slots_[apart && is_second(index)];
}

#include "ip6/ndcache.inc.h"

enum { MISSED, RIGHT, WRONG, TWICE };

static const __u8 one[16] = {0xfe, 0x80, [15] = 1}, other[16] = {0x20, 1, [15] = 2};
static const __u8 ether[2][6] = {{2, 0, 0, 0, 0, 1}, {2, 0, 0, 0, 0, 2}};

static bool is_number_of(__u32 index, const __u8 *address)
{
	return index == test_number_of(&test_vars, test_neighbour_of(address));
}

static bool is_second(__u32 index)
{
	return is_number_of(index, one) || is_number_of(index, other);
}

static int read_it(void)
{
	const struct test_neighbour who = test_neighbour_of(wanted ? other : one);
	__u64 found = test_word_at(test_first_slot(who), who);

	if (!found)
		found = test_word_at(test_second_slot(who), who);
	else if (apart && test_word_at(test_second_slot(who), who))
		return TWICE;
	if (!found)
		return MISSED;
	return __builtin_memcmp(&found, ether[wanted], 6) ? WRONG : RIGHT;
}
"""
#: The slot of one gets another.
REPLACED = """
static void prepare(void)
{
	test_publish(one, ether[0], false);
}

static void change(void)
{
	test_publish(other, ether[1], false);
}
"""
#: One leaves the first slot, and the other moves there.
MOVED = """
static void prepare(void)
{
	test_unpublish(other);
	test_publish(one, ether[0], false);
	test_publish(other, ether[1], false);
}

static void change(void)
{
	test_unpublish(one);
	test_publish(other, ether[1], false);
}
"""
MISSED, RIGHT, WRONG, TWICE = range(4)


def found(wanted, apart, change, folder):
    return readings(f"enum {{ wanted = {wanted}, apart = {apart} }};\n{CACHE}{change}", folder)


@ONLY_HERE
@pytest.mark.parametrize("wanted, first, last", [(0, MISSED, RIGHT), (1, RIGHT, MISSED)])
def test_a_neighbour_never_gets_another_ones_address(wanted, first, last, tmp_path):
    read = found(wanted, 0, REPLACED, tmp_path)
    assert WRONG not in read
    assert (read[0], read[-1]) == (first, last)


@ONLY_HERE
@pytest.mark.parametrize("wanted", [1, pytest.param(0, marks=pytest.mark.whole)])
def test_two_with_the_same_first_slot_are_both_found(wanted, tmp_path):
    read = found(wanted, 1, REPLACED, tmp_path)
    assert WRONG not in read and read[0] == read[-1] == RIGHT


@pytest.mark.whole
@ONLY_HERE
@pytest.mark.parametrize("wanted, first", [(0, MISSED), (1, RIGHT)])
def test_who_moves_to_the_first_slot_leaves_the_second(wanted, first, tmp_path):
    read = found(wanted, 1, MOVED, tmp_path)
    assert WRONG not in read and TWICE not in read
    assert (read[0], read[-1]) == (first, RIGHT)
