"""What passes must not do: change what a router does. Random routers, with and without them, packet for packet.

Into random graphs go elements that do nothing, elements that nothing reaches, and classifiers after classifiers; then the
routers before and after each level of optimisation get the same packets, and send the same. Elements that are
still there count the same.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, replace
from random import Random

import pytest

from clickbpf.graph.elaborate import read_text
from clickbpf.graph.router import Connection, Element, Port, Router
from clickbpf.graph.unparse import unparse_router
from clickbpf.passes import UNDEAD, apply, optimise
from clickbpf.passes.align import align
from clickbpf.testing.compare import compare_outputs
from clickbpf.testing.executors import start
from clickbpf.testing.graphs import random_graph
from clickbpf.testing.graphs.arguments import ARGUMENTS
from clickbpf.testing.packets import generate
from clickbpf.testing.record import ELEMENTS, Output
from clickbpf.vocabulary.library import Library

LIBRARY = Library.standard((ELEMENTS,))
GRAPHS, PACKETS = 5, 60
#: Handlers whose value depends on the time, or contains the names of neighbours.
UNCOMPARED = (".rate", ".bit_rate", ".byte_rate", ".ports")


def inert(random: Random, router: Router, prefix: str) -> Router:
    """Put elements into connections that pass packets on unchanged, some with outputs that lead where nobody goes."""
    for number, connection in enumerate(random.sample(router.connections, len(router.connections) // 2)):
        name, discard = f"{prefix}inert{number}", f"{prefix}end{number}"
        output = random.choice((0, 0, 1))
        class_name, config = random.choice((("Null", ""), ("StaticSwitch", str(output)), ("Tee", "1")))
        if class_name != "StaticSwitch" or router.element(connection.source.element).class_name in ("Queue", "TestRecorder"):
            class_name, config, output = "Null", "", 0
        added = [Connection(connection.source, Port(name)), Connection(Port(name, output), connection.target)]
        router = router.without_connections(connection).with_elements(Element(name, class_name, config))
        if output:
            router = router.with_elements(Element(discard, "Discard"))
            added.append(Connection(Port(name, 0), Port(discard)))
        router = router.with_connections(*added)
    return router


def dead(random: Random, router: Router, prefix: str) -> Router:
    """Something that no packet reaches, joined to what some do."""
    idle, paint = Element(f"{prefix}idle", "Idle"), Element(f"{prefix}dead", "Paint", "7")
    target = random.choice([c.target for c in router.connections if re.fullmatch(r"g\d+_e\d+", c.target.element)])
    return router.with_elements(idle, paint).with_connections(
        Connection(Port(idle.name), Port(paint.name)), Connection(Port(paint.name), target)
    )


def classifiers(random: Random, prefix: str) -> str:
    """A tree of classifiers of one class, each of whose leaves counts."""
    class_name = random.choice(("Classifier", "IPClassifier"))
    lines = [f"FromDevice({prefix}in) -> MarkIPHeader(14) -> {prefix}c0 :: Null;"]
    leaves = [(f"{prefix}c0", 0)]
    for number in range(1, random.randint(3, 5)):
        source, port = leaves.pop(random.randrange(len(leaves)))
        arguments, outputs = ARGUMENTS[class_name](random)
        lines.append(f"{source} [{port}] -> {prefix}c{number} :: {class_name}({arguments});")
        leaves += [(f"{prefix}c{number}", port) for port in range(outputs)]
    lines += [f"{source} [{port}] -> Paint({n}) -> {prefix}n{n} :: Counter -> {prefix}q{n} :: Queue -> ToDevice({prefix}o{n});"
              for n, (source, port) in enumerate(leaves)]  # fmt: skip
    return "\n".join(lines) + "\n"


def random_router(seed: int) -> Router:
    """The devices that packets come from are first, so that their numbers, which packets carry, don't change with the devices that others
    are sent to."""
    random = Random(seed)
    text = "\n".join(classifiers(random, f"g{n}_") if n % 3 == 0 else random_graph(random, LIBRARY, f"g{n}_", 3) for n in range(GRAPHS))
    router = read_text(text, LIBRARY)
    router = inert(random, router, "i_")
    for number in range(GRAPHS):
        router = dead(random, router, f"d{number}_")
    return replace(router, elements=tuple(sorted(router.elements, key=lambda element: element.class_name != "FromDevice")))


@dataclass(frozen=True)
class Run:
    """What a router sent for each packet, and what its handlers said at the end."""

    router: Router
    outputs: list[list[Output]]
    values: dict[str, str]

    @classmethod
    def of(cls, router: Router, entries: list[str]) -> Run:
        """Packets into each entry in turn; a device that the router no longer has is one whose packets went nowhere."""
        there = set(entries_of(router))
        executor = start(unparse_router(router), "native", simtime=1)
        try:
            packets = generate(PACKETS * len(entries), seed=3)
            ways = [entries[number % len(entries)] for number in range(len(packets))]
            outputs = [executor.send(way, packet) if way in there else [] for way, packet in zip(ways, packets)]
            values = {handler: executor.read(handler) for handler in executor.read_handlers() if not handler.endswith(UNCOMPARED)}
            return cls(router, outputs, values)
        finally:
            executor.close()


def entries_of(router: Router) -> list[str]:
    return [e.config for e in router.of_class("FromDevice")]


@pytest.fixture(scope="module")
def plain() -> Run:
    router = random_router(1)
    return Run.of(router, entries_of(router))


PASSES = {
    "level 1": lambda router: optimise(router, LIBRARY, 1),
    "level 2": lambda router: optimise(router, LIBRARY, 2),
    "level 3": lambda router: optimise(router, LIBRARY, 3),
    "undead, align": lambda router: align(apply(UNDEAD, router, LIBRARY), LIBRARY),
}


@pytest.mark.whole
@pytest.mark.parametrize("name", PASSES)
def test_the_router_does_the_same(plain, name):
    after = PASSES[name](plain.router)
    assert len(after.elements) < len(plain.router.elements)
    assert not [e.name for e in after.elements if e.name.startswith("i_inert")]
    entries = entries_of(plain.router)
    assert set(entries_of(after)) <= set(entries)
    run = Run.of(after, entries)
    for number, (ours, theirs) in enumerate(zip(plain.outputs, run.outputs)):
        differs = compare_outputs(ours, theirs, ("before", "after"))
        assert differs is None, f"packet {number} into {entries[number % len(entries)]}: {differs}"
    same = {e.name for e in plain.router.elements if e in after.elements}
    left = {handler: value for handler, value in run.values.items() if handler.rpartition(".")[0] in same}
    assert left == {handler: plain.values[handler] for handler in left}
    assert len(left) > 100


@pytest.mark.whole
def test_a_pass_that_changes_something_is_found(plain):
    """The comparison sees that switches of another position send packets elsewhere."""
    wrong = plain.router
    for switch in plain.router.of_class("StaticSwitch"):
        if switch.config == "0":
            wrong = wrong.with_element_replaced(switch.name, replace(switch, config="1"))
    run = Run.of(wrong, entries_of(plain.router))
    assert any(compare_outputs(*pair, ("before", "after")) for pair in zip(plain.outputs, run.outputs))
