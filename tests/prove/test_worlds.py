"""Tables at places that aren't known: what the interpreter takes for known must be so, whichever places they are."""

from types import MappingProxyType, SimpleNamespace

from hypothesis import given
from hypothesis import strategies as st

from clickbpf.objects.manifest import MapEntry, StateEntry
from clickbpf.prove import terms
from clickbpf.prove.code import Place, Pointer
from clickbpf.prove.evaluation import Values
from clickbpf.prove.explore import LONGEST, SHORTEST
from clickbpf.prove.machine import ANY, Machine, State
from clickbpf.prove.replay import _put_tables
from clickbpf.prove.solver import _parts
from clickbpf.prove.values import variable
from clickbpf.prove.worlds import Any

TABLE, SIZE = ("value", "table"), 8
INDICES = {name: terms.extend(64, variable(name, 3), 3) for name in "ij"}
PLACES = st.sampled_from((*range(SIZE), *INDICES))
STEPS = st.lists(st.tuples(PLACES, st.sampled_from((None, 1, 2))), max_size=6)


def carried_out(steps, split: bool, indices: dict[str, int]) -> tuple:
    """Write to a table, or read where there is no value: the last byte read, as a term and as it is, and the world."""
    world = Any(SimpleNamespace(maps=(), states=()), {}, SHORTEST, LONGEST)
    machine, state, memory, found = Machine(None, world, {}), State(Place("xdp", 0), 0), [*range(10, 10 + SIZE)], (0, 0)
    state.values = {INDICES["i"]: ANY} if split else {}
    for place, value in steps:
        address, at = Pointer(TABLE, INDICES.get(place, place)), indices.get(place, place)
        if value is None:
            found = machine.load(state, address, 1), memory[at]
        else:
            machine.store(state, address, 1, value)
            memory[at] = value
    return *found, world


@given(STEPS, STEPS, PLACES, st.booleans(), st.tuples(*[st.integers(0, SIZE - 1)] * 2))
def test_places_that_may_be_the_same(one, other, last, split, places):
    """A byte that is known, or that was there before, is the right one; and bytes that two programs take for the same are."""
    indices = dict(zip(INDICES, places))
    found = [carried_out([*steps, (last, None)], split, indices) for steps in (one, other)]
    for word, real, world in found:
        before = {name: 10 + at + (Values(indices).of(base) if base is not None else 0) for name, (_, base, at) in world.origin.items()}
        known = {*before, *INDICES}
        if isinstance(word, int) or all(term.op != "var" or term.args[0] in known for term in _parts([word])):
            assert Values({**indices, **before}).of(word) == real
    if found[0][0] is found[1][0]:
        assert found[0][1] == found[1][1]


def test_bytes_at_one_place():
    """Two sums that are the same place have the same byte there, in both routers; others may, and bytes after a write are no bytes of
    before."""
    worlds = [Any(SimpleNamespace(maps=(), states=()), {}, SHORTEST, LONGEST) for _ in range(2)]
    one, other = (world.byte(TABLE, INDICES[name], 0).args[0] for world, name in zip(worlds, "ij"))
    later = worlds[0].byte(TABLE, INDICES["i"], 1, 7).args[0]
    worlds[0].share(worlds[1])
    for i, j, bytes_, wrong in ((3, 3, (1, 2, 9), 1), (3, 3, (1, 1, 9), 0), (3, 4, (1, 2, 9), 0), (3, 2, (1, 9, 2), 0)):
        found = {"i": i, "j": j, **dict(zip((one, other, later), bytes_))}
        truths = worlds[1].contradicted(found)
        assert len(truths) == wrong and not any(Values(found).of(truth) for truth in truths)
        assert all(Values({**found, other: bytes_[0]}).of(truth) and Values({**found, "j": 5}).of(truth) for truth in truths)


def test_tables_of_another_router():
    """A byte of a table is written where this router has the table, whose name is the same in both."""
    memory = bytearray(8)
    manifest = SimpleNamespace(maps=(MapEntry("bss", "state"),), states=(StateEntry("a", "vars", "bss"), StateEntry("b", "vars", "bss", 4)))
    router = SimpleNamespace(kernel=SimpleNamespace(manifest=manifest, memory=lambda _name: (memory, None)))
    other = SimpleNamespace(tables={}, world=SimpleNamespace(origin={"b.vars[1]": ("b.vars", None, 1)}))
    _put_tables(router, other, Values(MappingProxyType({"b.vars[1]": 7})))
    assert memory == bytes([0, 0, 0, 0, 0, 7, 0, 0])
