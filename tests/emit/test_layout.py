"""Where states are kept: a map each while there are few, together where there are more than a program can use."""

from __future__ import annotations

import ctypes

from clickbpf.compile import check_text
from clickbpf.emit.layout import COUNTERS, MOST_MAPS, VARS, alone, layout, members, rounded
from clickbpf.plan import Options, plan
from clickbpf.vocabulary.library import Library

LIBRARY = Library.standard()


def stored(text: str):
    return layout(plan(check_text(text, LIBRARY), Options()))


def counters(number: int):
    return stored(f"FromDevice(a) -> {' -> '.join(f'c{i} :: Counter' for i in range(number))} -> Queue -> ToDevice(b);")


def test_few_states_have_maps_of_their_own():
    found = [place for place in alone(counters(3)) if place.state == "counters"]
    assert {place.element for place in found} >= {"c0", "c1", "c2"}
    assert len({place.map for place in found}) == len(found)
    assert {place.offset for place in found} == {0}


def test_many_share_one_in_which_none_overlaps_another():
    found = counters(MOST_MAPS + 1)
    shared = sorted(members(found, COUNTERS), key=lambda place: place.offset)
    assert {place.element for place in shared} >= {f"c{i}" for i in range(MOST_MAPS + 1)}
    (stride,) = {place.stride for place in shared}
    ends = [place.offset + rounded(_size(place), 8) for place in shared]
    assert all(end <= following.offset for end, following in zip(ends, shared[1:]))
    assert ends[-1] <= stride and stride % 64 == 0, "the slots of two CPUs have no cache line in common"


def _size(place) -> int:
    return ctypes.sizeof(place.kind.struct)


def test_variables_are_one_global():
    found = stored("FromDevice(a) -> s :: Switch(0); s[0] -> t :: Switch(0) -> Discard; s[1] -> Discard;")
    variables = members(found, VARS)
    assert {place.element for place in variables} >= {"s", "t"}
    assert len({place.offset for place in variables}) == len(variables)


def test_what_the_runtime_alone_uses_is_not_in_the_kernel():
    assert not [place for place in stored("FromDevice(a) -> Print(x) -> c :: Counter -> Discard;") if place.element == "c"]
