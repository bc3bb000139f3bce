"""Where the kernel path keeps the state of its elements.

- An array has a map of its own.
- All variables are members of one global variable in the section `.data.vars`, which needs no lookup.
- All per-thread values of a slot are members of one struct, and these structs an array in `.data.counters`, without lookups as well.
  Where this would make the object too large, which contains the initial values of global variables, they are the values of the map
  `counters`.
- Direct arrays are members of one global variable of zeros (`.bss`), as long as the kernel has room for it.
- State that elements share (`Common`) is a variable of the first of them.

State that outlives runtimes is in maps for all elements. Elements outside the kernel path have maps of their own: with the others'
their packets would write to cache lines that the kernel path uses.
"""

import ctypes
from collections.abc import Collection, Iterable, Mapping

from clickbpf.frozen import frozen
from clickbpf.graph.check import CheckedRouter
from clickbpf.objects.cnames import c_names
from clickbpf.plan.values import Copies
from clickbpf.vocabulary.roles import companions
from clickbpf.vocabulary.state import ALIGNMENT, CACHE_LINE, Common, DirectArray, PerThread, State, Vars

GLOBAL_COUNTERS, COUNTERS, VARS, ARRAYS = ".data.counters", "counters", ".data.vars", ".bss"
#: Maps that several states share.
POOLS = (GLOBAL_COUNTERS, COUNTERS, VARS, ARRAYS)
#: The number of slots for which an unmodified object has per-thread values, and the most bytes of these values together.
SLOTS, MOST_GLOBAL = 128, 1 << 20
#: The most bytes of direct arrays: the kernel allows no larger map values.
MOST_DIRECT = 3 << 20


@frozen
class Stored:
    """One element's state: its name in C, its map, the offset in the map's values, the number of values (of one slot), and the bytes
    from one value to the next."""

    element: str
    state: str
    kind: State
    c_name: str
    map: str
    offset: int
    entries: int
    stride: int


def layout(checked: CheckedRouter, there: Collection[str]) -> tuple[Stored, ...]:
    """All state in maps: that of the elements `there`, which run in the kernel, and of all elements the state that outlives runtimes. Other
    state is in the runtime's own memory."""
    names = c_names(checked.instances)
    states = [
        (element, state, kind)
        for element, instance in checked.instances.items()
        for state, kind in instance.state_types.items()
        if kind.shared and (element in there or kind.outlives)
    ]
    total = sum(rounded(ctypes.sizeof(kind.struct), ALIGNMENT) for _, _, kind in states if isinstance(kind, PerThread))
    counters = GLOBAL_COUNTERS if rounded(total, CACHE_LINE) * SLOTS <= MOST_GLOBAL else COUNTERS
    pools: dict[type[State], str] = {Vars: VARS, Common: VARS, PerThread: counters, DirectArray: ARRAYS}
    sizes = dict.fromkeys(pools.values(), 0)
    found, common = [], {}
    for element, state, kind in states:
        if isinstance(kind, Common) and state in common:
            found.append((element, state, kind, *common[state]))
            continue
        c_name, pool = f"{names[element]}_{state}", pools.get(type(kind)) if element in there else None
        entries = kind.entries(checked.instances[element], 1)
        size = rounded(ctypes.sizeof(kind.struct), ALIGNMENT) * (1 if pool == counters else entries)
        if pool == ARRAYS and sizes[pool] + size > MOST_DIRECT:
            pool = None
        place = (c_name, pool or f"{c_name}_map", sizes.get(pool, 0), entries)
        found.append((element, state, kind, *place))
        if isinstance(kind, Common):
            common[state] = place
        if pool:
            sizes[pool] += size
    size = rounded(sizes[counters], CACHE_LINE)
    return tuple(Stored(*place, stride=size if place[4] == counters else place[2].stride) for place in found)


def tables(checked: CheckedRouter, there: Collection[str], copies: Mapping[str, tuple[Copies, ...]]) -> dict[str, frozenset]:
    """The maps that the code of each element `there` may use besides the shared ones: for its own state, for that of its companions and of
    the elements that its copies meet, and for the sets of devices by which copies leave."""
    own: dict[str, set] = {name: set() for name in there}
    for place in alone(layout(checked, there)):
        if place.kind.in_programs:
            own.get(place.element, set()).add(place.map)
    found = {}
    for name, maps in own.items():
        element, made = checked.instances[name], copies.get(name, ())
        others = {*companions(element), *(member for each in made for member, _ in each.members)}
        sets = (devices for each in made for devices in each.leaving if len(devices) > 1)
        found[name] = frozenset(maps.union(*(own[other] for other in others & own.keys()), sets))
    return found


def rounded(size: int, alignment: int) -> int:
    return -(-size // alignment) * alignment


def members(stored: Iterable[Stored], pool: str) -> list[Stored]:
    return [place for place in stored if place.map == pool]


def alone(stored: Iterable[Stored]) -> list[Stored]:
    """State that has a map of its own."""
    return [place for place in stored if place.map not in POOLS]
