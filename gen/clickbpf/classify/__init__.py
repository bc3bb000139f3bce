"""The compiler of all classifiers: it turns rules about a packet's bytes into a decision graph, and the graph into C.

    expression.py   conditions of rules
    graph.py        decision graphs
    facts.py        facts known on a path through a graph (ahead.py: tests that may follow)
    specialise.py   removes useless tests from graphs, and adds checks of the packet's length
    emit.py         C
    segments.py     whether joined TCP segments may pass as one packet
    listing.py      the text of `program` handlers
    halves.py       expressions as alternatives of conditions on two bytes
    vectors.py      many rules as bit vectors, which are data
    lookup.py       C that looks packets up in vectors
`Program` combines these for a list of rules.
"""

from collections.abc import Callable, Mapping, Sequence
from functools import cached_property
from typing import Self

from clickbpf.classify import emit, listing, lookup
from clickbpf.classify.expression import FALSE, TRUE, All, Choose, Expression, Not, Some, Test, match_bytes, unlike
from clickbpf.classify.graph import Decision, HandOver, Maker, Node, children, in_order, outputs
from clickbpf.classify.halves import TooMany
from clickbpf.classify.specialise import simplify, with_checks
from clickbpf.classify.vectors import Vectors

__all__ = ["FALSE", "TRUE", "All", "Choose", "Expression", "Not", "Program", "Rule", "Some", "Test", "TooMany", "match_bytes", "unlike"]

#: A condition, and the output for packets that meet it.
Rule = tuple[Expression, "int | None"]

#: Estimated BPF instructions for a test or a check.
INSTRUCTIONS = 4
#: Beyond this many rules, or tests in their unspecialised graph, rules become data instead of code.
MOST_RULES, MOST_TESTS = 128, 1024


class Program:
    """Sends a packet to the output of the first rule that is true of it; None means "no output".

    Few rules become code, from a graph without useless tests. Many rules become data (`vectors`); the unspecialised graph then only defines
    their meaning.
    """

    def __init__(self, rules: Sequence[Rule], before: Self | None = None):
        """If it replaces the program `before`, it becomes code or data like that one; TooMany if that is impossible."""
        self._maker = Maker()
        graph = self._maker.rules(rules)
        if before:
            self.vectors = Vectors(rules, before.vectors) if before.vectors else None
        else:
            self.vectors = _vectors(rules, graph)
        self.graph: Node = graph if self.vectors else simplify(graph, self._maker)

    @cached_property
    def checked(self) -> Node:
        """The graph with checks of the packet's length."""
        return with_checks(self.graph, self._maker)

    @property
    def size(self) -> int:
        """The number of tests and checks in the C function that the kernel path executes."""
        return len(in_order(self.checked, lambda node: () if isinstance(node, HandOver) else children(node)))

    @property
    def weight(self) -> int:
        """An estimate of the number of BPF instructions."""
        return lookup.weight(self.vectors) if self.vectors else INSTRUCTIONS * self.size

    def outputs(self) -> set[int | None]:
        """The outputs that packets can go to."""
        return outputs(self.graph)

    def listing(self, bases: Mapping[str, int] | None = None) -> str:
        """The program as Click prints it; `bases` as for `listing.listing`."""
        return listing.listing(self.graph, bases or {})

    def c_function(
        self, name: str, regions: Mapping[str, str], result: Callable[[int | None], str], guard: emit.Guard = emit.unguarded
    ) -> str:
        """C of `static __always_inline int name(struct pkt *p)`; for the parameters see `emit.function`.

        For rules that are data, see also `lookup.function`.
        """
        if self.vectors:
            return lookup.function(name, self.vectors, regions, result)
        return emit.function(name, self.checked, regions, result, guard)


def _vectors(rules: Sequence[Rule], graph: Node) -> Vectors | None:
    """The vectors, if there are too many rules for code and not too many for vectors."""
    if len(rules) <= MOST_RULES and sum(isinstance(node, Decision) for node in in_order(graph)) <= MOST_TESTS:
        return None
    try:
        return Vectors(rules)
    except TooMany:
        return None
