"""Inserts Aligns where elements need them, for machines that can't read unaligned words (click-align).

Elements that read headers want an alignment, which is propagated against the flow of packets. Sources give packets an alignment, which is
propagated along the flow. An Align is inserted wherever the two disagree.
"""

from collections.abc import Iterable

from clickbpf.graph.ports import End, ends
from clickbpf.graph.router import Connection, Element, Port, Router
from clickbpf.passes.alignment import all_of, either
from clickbpf.passes.order import as_written, replaced, rewired
from clickbpf.passes.shapes import Known
from clickbpf.vocabulary.alignment import ANYHOW, WORD, Alignment, AlignmentRule
from clickbpf.vocabulary.library import Library

#: Classes that the tool inserts: the router's last element, which lists the alignments, and the one that moves packets.
INFORMATION, ALIGN = "AlignmentInfo", "Align"


def align(router: Router, library: Library) -> Router:
    """The router with the Aligns that it needs and no others, and with a correct AlignmentInfo."""
    router = as_written(router).without_elements(*(e.name for e in router.of_class(INFORMATION)))
    router = _with_aligns(_Analysis(router, library))
    router = _without_aligns_before_aligns(router, library)
    router = _without_useless_aligns(_Analysis(router, library))
    return _with_information(_Analysis(router, library))


class _Analysis:
    """The wanted and the known alignment at each port of a router.

    Where they disagree, `known` assumes an Align, and the connection is in `missing`. Nothing is known where only an Idle's packets would
    arrive.
    """

    def __init__(self, router: Router, library: Library):
        self.router, known = router, Known(router, library)
        self.shapes, self.is_idle = known.shapes, known.is_idle
        self.rules = {e.name: _rule(known, e.name) for e in router.elements}
        self.wanted: dict[End, Alignment | None] = {}
        self.known: dict[End, Alignment] = {}
        self.missing: dict[Connection, Alignment] = {}
        while self._want():
            pass
        while self._know():
            pass

    def _want(self) -> bool:
        """Propagate wanted alignments against the flow once; returns whether any has changed."""
        found: dict[End, Alignment | None] = {}
        for name, shape in self.shapes.items():
            for port in range(len(shape.outputs)):
                after = (self.wanted.get(ends(c)[1]) for c in self.router.connections_from(name, port))
                found[End(Port(name, port), True)] = all_of(after)
            for port in range(len(shape.inputs)):
                found[End(Port(name, port), False)] = self._want_at(End(Port(name, port), False))
        changed, self.wanted = found != self.wanted, found
        return changed

    def _want_at(self, end: End) -> Alignment | None:
        rule = self.rules[end.port.element]
        if rule.wants or rule.gives:
            return rule.want(end.port.port)
        passed = all_of(self.wanted.get(other) for other in self.shapes[end.port.element].through(end))
        return passed and passed.moved(-rule.moves)

    def _know(self) -> bool:
        """Propagate known alignments along the flow once; returns whether any has changed."""
        found: dict[End, Alignment] = {}
        self.missing = {}
        for name, shape in self.shapes.items():
            for port in range(len(shape.inputs)):
                end = End(Port(name, port), False)
                arriving = either(filter(None, (self._arriving(c) for c in self.router.connections_to(name, port))))
                if arriving:
                    found[end] = arriving
            for port in range(len(shape.outputs)):
                leaving = self._leaving(End(Port(name, port), True), found)
                if leaving:
                    found[End(Port(name, port), True)] = leaving
        changed, self.known = found != self.known, found
        return changed

    def _arriving(self, connection: Connection) -> Alignment | None:
        """The alignment after a connection; None as long as the one before it isn't known."""
        output, input_ = ends(connection)
        have = self.known.get(output)
        if have is None:
            return None
        wanted = self.wanted[input_]
        if wanted is None and self.rules[input_.port.element].minds and have.chunk % WORD.chunk:
            wanted = WORD
        if wanted is None or have.satisfies(wanted):
            return have
        self.missing[connection] = wanted
        return wanted

    def _leaving(self, end: End, found: dict[End, Alignment]) -> Alignment | None:
        rule = self.rules[end.port.element]
        if rule.gives:
            return rule.gives
        before = self.shapes[end.port.element].through(end)
        if not before:
            return None if self.is_idle(end.port.element) else ANYHOW
        arriving = either(filter(None, (found.get(other) for other in before)))
        return arriving and arriving.moved(rule.moves)


def _rule(known: Known, name: str) -> AlignmentRule:
    """The rule of an element; one whose class or arguments aren't known has none."""
    return known.instances[name].alignment if name in known.instances else AlignmentRule()


def _with_aligns(analysis: _Analysis) -> Router:
    """One Align for all connections from an output that want the same."""
    router = analysis.router
    made: dict[tuple[Port, Alignment], Element] = {}
    for connection, wanted in analysis.missing.items():
        key = connection.source, wanted
        if key not in made:
            made[key] = _element(router, ALIGN, f"{wanted.chunk}, {wanted.offset}")
            router = router.with_elements(made[key])
        inserted = Port(made[key].name)
        router = replaced(router, connection, [Connection(connection.source, inserted)])
        router = rewired(router, [], [Connection(inserted, connection.target)])
    return router


def _without_aligns_before_aligns(router: Router, library: Library) -> Router:
    """Remove one of two Aligns in a row: the second if the first satisfies it, otherwise the first."""
    known = Known(router, library)
    gives = {e.name: _rule(known, e.name).gives for e in router.of_class(ALIGN)}
    while between := [c for c in router.connections if gives.get(c.source.element) and gives.get(c.target.element)]:
        at = between[0]
        if gives[at.source.element].satisfies(gives[at.target.element]):
            added = [Connection(at.source, c.target) for c in reversed(router.connections_from(at.target.element))]
            router = rewired(router, [at], added)
        else:
            router = replaced(router, at, [Connection(c.source, at.target) for c in router.connections_to(at.source.element)])
        unused = [name for name in gives if name in router and not (router.connections_from(name) and router.connections_to(name))]
        router = router.without_elements(*unused)
    return router


def _without_useless_aligns(analysis: _Analysis) -> Router:
    """Remove Aligns whose packets already have the alignment."""
    router = analysis.router
    for element in router.of_class(ALIGN):
        have, gives = analysis.known.get(End(Port(element.name), False)), analysis.rules[element.name].gives
        if have and gives and have.satisfies(gives):
            before, after = router.connections_to(element.name), router.connections_from(element.name)
            added = [Connection(one.source, other.target) for one in before for other in after]
            router = rewired(router, [*before, *after], added).without_elements(element.name)
    return router


def _with_information(analysis: _Analysis) -> Router:
    informed = [name for name, rule in analysis.rules.items() if rule.informed and analysis.shapes[name].inputs]
    if not informed:
        return analysis.router
    entries = (f"{name}  {' '.join(map(str, _inputs(analysis, name)))}" for name in informed)
    return analysis.router.with_elements(_element(analysis.router, INFORMATION, ",\n  ".join(entries)))


def _inputs(analysis: _Analysis, name: str) -> Iterable[Alignment]:
    ports = range(len(analysis.shapes[name].inputs))
    return (analysis.known.get(End(Port(name, port), False), ANYHOW) for port in ports)


def _element(router: Router, class_name: str, config: str) -> Element:
    """A new element, named after the tool that it comes from."""
    number = len(router.elements) + 1
    while f"{class_name}@click_align@{number}" in router:
        number += 1
    return Element(f"{class_name}@click_align@{number}", class_name, config)
