"""Where states are kept: arrays in maps of their own, variables and per-thread values together."""

from __future__ import annotations

import ctypes

import pytest

from clickbpf.compile import check_text
from clickbpf.plan import Options, plan
from clickbpf.plan.layout import (
    ARRAYS,
    COUNTERS,
    GLOBAL_COUNTERS,
    MOST_DIRECT,
    MOST_GLOBAL,
    SLOTS,
    VARS,
    alone,
    layout,
    members,
    rounded,
    tables,
)
from clickbpf.vocabulary.library import Library

LIBRARY = Library.standard()


def stored(text: str, options: Options = Options()):
    found = plan(check_text(text, LIBRARY), options)
    return layout(found.checked, found.there)


def counters(number: int):
    return stored(f"FromDevice(a) -> {' -> '.join(f'c{i} :: Counter' for i in range(number))} -> Queue -> ToDevice(b);")


@pytest.mark.parametrize("number, pool", [(1, GLOBAL_COUNTERS), (60, GLOBAL_COUNTERS), (400, COUNTERS)])
def test_per_thread_values_of_a_slot_are_together_and_none_overlaps_another(number, pool):
    """In a global array while an object has room for it, or else in a map."""
    shared = sorted(members(counters(number), pool), key=lambda place: place.offset)
    assert {place.element for place in shared} >= {f"c{i}" for i in range(number)}
    (stride,) = {place.stride for place in shared}
    ends = [place.offset + rounded(_size(place), 8) for place in shared]
    assert all(end <= following.offset for end, following in zip(ends, shared[1:]))
    assert ends[-1] <= stride and stride % 64 == 0, "the slots of two CPUs have no cache line in common"
    assert (stride * SLOTS <= MOST_GLOBAL) == (pool == GLOBAL_COUNTERS)


def test_arrays_have_maps_of_their_own():
    found = alone(stored("FromDevice(a) -> s :: EtherSwitch; Idle -> [1] s; s -> Discard; s[1] -> Discard;"))
    assert ("s", "table") in [(place.element, place.state) for place in found]
    assert len({place.map for place in found}) == len(found) and {place.offset for place in found} == {0}


def queriers(number: int) -> str:
    text = "FromDevice(a) -> Strip(14) -> GetIPAddress(16) -> r :: RoundRobinSwitch; t :: Idle -> Queue -> ToDevice(b);"
    return text + "".join(f"r[{i}] -> q{i} :: ARPQuerier(1.2.3.4, 2:0:0:0:0:1) -> t; Idle -> [1] q{i};" for i in range(number))


def test_direct_arrays_are_one_global_while_the_kernel_has_room_for_them():
    """Five caches of 512 KiB, and eight smaller arrays that follow them; a sixth cache would be beyond the end."""
    found = [place for place in stored(queriers(8)) if place.state in ("cache", "known")]
    direct = sorted((place for place in found if place.map == ARRAYS), key=lambda place: place.offset)
    ends = [place.offset + place.entries * _size(place) for place in direct]
    assert all(end <= following.offset for end, following in zip(ends, direct[1:]))
    assert ends[-1] <= MOST_DIRECT < ends[-1] + (1 << 16) * 8
    assert [place.map for place in found if place not in direct] == ["e_q5_cache_map", "e_q6_cache_map", "e_q7_cache_map"]


@pytest.mark.parametrize("options", [Options(), Options(kernel=False)])
def test_what_outlives_a_runtime_has_a_map_wherever_its_element_runs(options):
    """And nothing else of an element in user space has one."""
    text = "FromDevice(a) -> CheckIPHeader(14) -> rt :: RadixIPsecLookup(0/0 2); Idle -> rt; rt[0] -> Discard; rt[1] -> x :: IPsecESPEncap"
    text = f"{text} -> IPsecAES(1) -> c :: Counter -> Discard; rt[2] -> Discard;"
    found = {(place.element, place.state): place.map for place in stored(text, options)}
    assert found["x", "own"] == "e_x_own_map" and found["rt", "associations"] == "e_rt_associations_map"
    assert (("rt", "fib") in found) == (options.kernel)
    assert ("c", "counters") not in found and not any("AES" in element for element, _ in found)


def _size(place) -> int:
    return ctypes.sizeof(place.kind.struct)


def test_variables_are_one_global():
    found = stored("FromDevice(a) -> s :: Switch(0); s[0] -> t :: Switch(0) -> Discard; s[1] -> Discard;")
    variables = members(found, VARS)
    assert {place.element for place in variables} >= {"s", "t"}
    assert len({place.offset for place in variables}) == len(variables)


def test_what_elements_have_in_common_is_there_once():
    errors = [f"e{number} :: ICMPError(1.0.0.{number + 1}, unreachable)" for number in range(3)]
    found = stored(f"FromDevice(a) -> {' -> '.join(errors)} -> Discard;")
    numbers = [place for place in found if place.state == "numbers"]
    assert [place.element for place in numbers] == ["e0", "e1", "e2"]
    assert {(place.map, place.offset, place.c_name) for place in numbers} == {(VARS, numbers[0].offset, "e_e0_numbers")}
    alone = [place.offset for place in members(found, VARS) if place.state != "numbers"]
    assert len(set(alone)) == len(alone) > 6 and numbers[0].offset not in alone


def test_tables_of_what_copies_meet_are_used_where_the_copies_are_made():
    """The rules are too many to be code. What rules are changed to is for the runtime alone."""
    rules = ", ".join(f"allow src host 10.{n // 250}.{n % 250}.{n % 7} && dst port {n}" for n in range(300))
    branches = "".join(f"t[{n}] -> f{n} :: IPFilter({rules}) -> Queue -> ToDevice(eth{n});" for n in range(2))
    found = plan(check_text(f"FromDevice(a) -> MarkIPHeader(14) -> t :: Tee; {branches}", LIBRARY), Options())
    used = tables(found.checked, found.there, found.copies)
    of_filters = {f"e_f{n}_{table}_map" for n in range(2) for table in ("places", "rows", "rules")}
    assert used["f0"] | used["f1"] == of_filters
    assert used["t"] == of_filters | {("eth0", "eth1")}


def test_what_the_runtime_alone_uses_is_not_in_the_kernel():
    assert not [place for place in stored("FromDevice(a) -> TimeRange -> c :: Counter -> Discard;") if place.element == "c"]
