"""The compiler of all classifiers: rules about a packet's bytes become a decision graph, and that becomes C.

    expression.py   what rules are made of
    graph.py        decision graphs
    facts.py        what a way through a graph knows (ahead.py: what it can still meet)
    specialise.py   graphs without useless tests; with checks of the packet's length
    emit.py         C
    segments.py     whether joined TCP segments may pass as one packet
    listing.py      the text of `program` handlers

`Program` has all of it for a list of rules.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from functools import cached_property

from clickbpf.classify import emit, listing
from clickbpf.classify.expression import FALSE, TRUE, All, Choose, Expression, Not, Some, Test, match_bytes, unlike
from clickbpf.classify.graph import HandOver, Maker, Node, children, in_order, outputs
from clickbpf.classify.specialise import simplify, with_checks

__all__ = ["FALSE", "TRUE", "All", "Choose", "Expression", "Not", "Program", "Some", "Test", "match_bytes", "unlike"]

#: Of BPF, for a test or a check.
INSTRUCTIONS = 4


class Program:
    """A packet goes to the output of the first rule that is true of it; None means "no output"."""

    def __init__(self, rules: Sequence[tuple[Expression, int | None]]):
        self._maker = Maker()
        self.graph: Node = simplify(self._maker.rules(rules), self._maker)

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
        return INSTRUCTIONS * self.size

    def outputs(self) -> set[int | None]:
        """The outputs that some packet goes to."""
        return outputs(self.graph)

    def listing(self, bases: Mapping[str, int] | None = None) -> str:
        """The program as Click prints it; `bases` as for `listing.listing`."""
        return listing.listing(self.graph, bases or {})

    def c_function(self, name: str, regions: Mapping[str, str], result: Callable[[int | None], str]) -> str:
        """C of `static __always_inline int name(struct pkt *p)`; for the parameters see `emit.function`."""
        return emit.function(name, self.checked, regions, result)
