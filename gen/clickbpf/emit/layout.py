"""Where the kernel path keeps the states of its elements.

A program can use 64 maps, and each lookup costs, so small states share: all per-thread values of a slot are members of one
struct, the value of the map `counters`, and all variables are members of one global variable in the section `.data.vars`. An
array has a map of its own.
"""

from __future__ import annotations

import ctypes
from dataclasses import dataclass

from clickbpf.emit.names import c_names
from clickbpf.plan.values import XDP, Plan
from clickbpf.state import ALIGNMENT, CACHE_LINE, Array, PerThread, State, Vars

COUNTERS, VARS = "counters", ".data.vars"
_POOLS: dict[type[State], str] = {PerThread: COUNTERS, Vars: VARS}


@dataclass(frozen=True)
class Stored:
    """One element's state: its C name, the map it is in, its place in the map's value, and bytes from one of its values to
    the next. `entries` is how many it has, for one slot."""

    element: str
    state: str
    kind: State
    c_name: str
    map: str
    offset: int
    entries: int
    stride: int


def layout(plan: Plan) -> tuple[Stored, ...]:
    """Every state of the elements that run in the kernel; what the runtime alone uses is its own memory."""
    names = c_names(plan.checked.instances)
    used: dict[str, int] = {}
    found = []
    for element, instance in plan.checked.instances.items():
        if plan.placements[element].where != XDP:
            continue
        for state, kind in instance.state_types.items():
            if not kind.shared:
                continue
            c_name = f"{names[element]}_{state}"
            pool = _POOLS.get(type(kind))
            found.append((element, state, kind, c_name, pool or f"{c_name}_map", used.get(pool, 0), kind.entries(instance, 1)))
            if pool:
                used[pool] = used.get(pool, 0) + rounded(ctypes.sizeof(kind.struct), ALIGNMENT)
    size = rounded(used.get(COUNTERS, 0), CACHE_LINE)
    return tuple(Stored(*place, stride=size if place[4] == COUNTERS else place[2].stride) for place in found)


def rounded(size: int, alignment: int) -> int:
    return -(-size // alignment) * alignment


def members(stored: tuple[Stored, ...], pool: str) -> list[Stored]:
    return [place for place in stored if place.map == pool]


def arrays(stored: tuple[Stored, ...]) -> list[Stored]:
    return [place for place in stored if isinstance(place.kind, Array)]
