"""The compiler of all classifiers: rules about a packet's bytes become a decision graph, and that becomes C.

    expression.py   what rules are made of
    graph.py        decision graphs
    facts.py        what a way through a graph knows (ahead.py: what it can still meet)
    specialise.py   graphs without useless tests; with checks of the packet's length
    emit.py         C
    segments.py     whether joined TCP segments may pass as one packet
    listing.py      the text of `program` handlers
    halves.py       expressions as alternatives of conditions on two bytes
    vectors.py      many rules as bit vectors, which are data
    lookup.py       C that looks packets up in them

`Program` has all of it for a list of rules.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from functools import cached_property

from clickbpf.classify import emit, listing, lookup
from clickbpf.classify.expression import FALSE, TRUE, All, Choose, Expression, Not, Some, Test, match_bytes, unlike
from clickbpf.classify.graph import Decision, HandOver, Maker, Node, children, in_order, outputs
from clickbpf.classify.halves import TooMany
from clickbpf.classify.specialise import simplify, with_checks
from clickbpf.classify.vectors import Vectors

__all__ = ["FALSE", "TRUE", "All", "Choose", "Expression", "Not", "Program", "Rule", "Some", "Test", "TooMany", "match_bytes", "unlike"]

#: What matches, and the output that its packets go to.
Rule = tuple[Expression, "int | None"]

#: Of BPF, for a test or a check.
INSTRUCTIONS = 4
#: Rules, and tests of their graph as it is made, up to which they are code.
MOST_RULES, MOST_TESTS = 128, 1024


class Program:
    """A packet goes to the output of the first rule that is true of it; None means "no output".

    Few rules are code, a graph without useless tests. Many are data, where they have `vectors`; the graph, as it is made, then only
    says what they mean.
    """

    def __init__(self, rules: Sequence[Rule], before: Program | None = None):
        """With a program `before`, whose place it is to take, it is code or data as that is; TooMany if it can't be."""
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
        """Tests and checks of the C function, as far as the kernel goes through them."""
        return len(in_order(self.checked, lambda node: () if isinstance(node, HandOver) else children(node)))

    @property
    def weight(self) -> int:
        """About as many instructions of BPF."""
        return lookup.weight(self.vectors) if self.vectors else INSTRUCTIONS * self.size

    def outputs(self) -> set[int | None]:
        """The outputs that some packet goes to."""
        return outputs(self.graph)

    def listing(self, bases: Mapping[str, int] | None = None) -> str:
        """The program as Click prints it; `bases` as for `listing.listing`."""
        return listing.listing(self.graph, bases or {})

    def c_function(self, name: str, regions: Mapping[str, str], result: Callable[[int | None], str]) -> str:
        """C of `static __always_inline int name(struct pkt *p)`; for the parameters see `emit.function`.

        What rules that are data need besides says `lookup.function`.
        """
        if self.vectors:
            return lookup.function(name, self.vectors, regions, result)
        return emit.function(name, self.checked, regions, result)


def _vectors(rules: Sequence[Rule], graph: Node) -> Vectors | None:
    """The vectors of rules that are too many to be code and not too many for vectors."""
    if len(rules) <= MOST_RULES and sum(isinstance(node, Decision) for node in in_order(graph)) <= MOST_TESTS:
        return None
    try:
        return Vectors(rules)
    except TooMany:
        return None
