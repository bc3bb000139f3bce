"""What kernel path and runtime read, without a lock, of a flow whose number another flow gets meanwhile."""

import sys
from pathlib import Path

import pytest
from tests.elements.stepping import ONLY_HERE, readings

from clickbpf.vocabulary.library import Library

#: Packets with the key of both flows become different ones: what is read is of one flow, or nothing. Sequence of the change: keeper.h.
FLOWS = """
#undef USERSPACE
#define USERSPACE READER
#include "nat/flow.h"

enum { MISSED, OLD, NEW, MIXED };

static const struct nat_key key = {.saddr = 1, .daddr = 2, .sport = 3, .dport = 4, .space = 5};
static const struct nat_flow old = {
	.saddr = {1, 21}, .daddr = {2, 22}, .sport = {3, 23}, .dport = {4, 24}, .space = 5,
	.ip_delta = 25, .transport_delta = 26, .output = {27, 0}, .protocol = 28, .tracked = 29, .reply_anno = 30, .marks = 31,
	.generation = 7,
};
static const struct nat_flow new = {
	.saddr = {1, 41}, .daddr = {2, 42}, .sport = {3, 43}, .dport = {4, 44}, .space = 5,
	.ip_delta = 45, .transport_delta = 46, .output = {47, 0}, .protocol = 48, .tracked = 49, .reply_anno = 50, .marks = 51,
	.generation = 9,
};
static struct nat_flow flow;

static void prepare(void)
{
	flow = old;
}

static void change(void)
{
	CHANGE;
}

static bool is_of(const struct nat_target *t, const struct nat_flow *f)
{
	return t->saddr == f->daddr[1] && t->daddr == f->saddr[1] && t->sport == f->dport[1] && t->dport == f->sport[1] &&
		t->ip_delta == f->ip_delta && t->transport_delta == f->transport_delta && t->output == f->output[0] &&
		t->protocol == f->protocol && t->tracked == f->tracked && t->reply_anno == f->reply_anno && t->marks == f->marks;
}

static int read_it(void)
{
	struct nat_target target;

	if (!nat_read(&flow, 0, &key, &target))
		return MISSED;
	return is_of(&target, &old) ? OLD : is_of(&target, &new) ? NEW : MIXED;
}
"""
MISSED, OLD, NEW, MIXED = range(4)


READERS = pytest.mark.parametrize("reader", [0, 1], ids=["kernel", "runtime"])


def readings_with(change: str, reader: int, folder: Path) -> list[int]:
    Library.standard().find("IPRewriter")
    structures = sys.modules["clickbpf_elements.nat._structures"].structures()
    return readings(structures + FLOWS.replace("CHANGE", change).replace("READER", str(reader)), folder)


@ONLY_HERE
@READERS
def test_a_flow_that_changes_is_read_as_it_was_or_is_or_not_at_all(tmp_path, reader):
    found = readings_with("flow = new", reader, tmp_path)
    assert MIXED not in found
    assert found[0] == NEW and found[-1] == OLD and MISSED in found


@ONLY_HERE
@READERS
@pytest.mark.parametrize("change", ["generation++", "saddr[0]++", "daddr[0]++", "sport[0]++", "dport[0]++", "space++"])
def test_a_flow_that_has_ended_or_is_anothers_is_not_read(tmp_path, change, reader):
    found = readings_with(f"flow.{change}", reader, tmp_path)
    assert found[0] == MISSED and found[-1] == OLD
