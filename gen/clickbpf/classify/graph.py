"""Decision graphs: tests that lead a packet to an output.

A graph is its root node. Nodes are made by a `Maker`, which makes equal nodes only once, so that they can be compared and looked up by
identity, and which joins two tests into one if possible. Nodes have no __repr__: it would print a shared node once for each path to it.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import Any

from clickbpf.classify.expression import All, Choose, Constant, Expression, Not, Some, Test, needed

#: The most following tests with which a new one is compared.
LOOKED_AHEAD = 64


@dataclass(frozen=True, eq=False, repr=False)
class Leaf:
    """The end of a path: the packet's output, None if no rule matches."""

    output: int | None


@dataclass(frozen=True, eq=False, repr=False)
class Decision:
    """Continues at `yes` if the test holds, otherwise at `no`."""

    test: Test
    yes: Node
    no: Node


@dataclass(frozen=True, eq=False, repr=False)
class Check:
    """Continues at `yes` if the region has `length` bytes, which tests there may read; otherwise at `no`."""

    region: str
    length: int
    yes: Node
    no: Node


@dataclass(frozen=True, eq=False, repr=False)
class HandOver:
    """The kernel hands the packet over to the runtime, which continues at `next`."""

    next: Node


Node = Leaf | Decision | Check | HandOver


class Maker:
    """Makes nodes."""

    def __init__(self) -> None:
        self._made: dict[tuple, Node] = {}

    def leaf(self, output: int | None) -> Node:
        return self._made.setdefault(("leaf", output), Leaf(output))

    def check(self, region: str, length: int, yes: Node, no: Node) -> Node:
        if yes is no:
            return yes
        return self._made.setdefault((region, length, yes, no), Check(region, length, yes, no))

    def hand_over(self, next: Node) -> Node:
        return self._made.setdefault(("hand over", next), HandOver(next))

    def decide(self, test: Test, yes: Node, no: Node) -> Node:
        if yes is no or not test.mask:
            return yes
        if isinstance(yes, Decision) and yes.no is no and (joined := _both(test, yes.test)):
            return self.decide(joined, yes.yes, no)
        if isinstance(no, Decision) and no.yes is yes and (joined := _either(test, no.test)):
            return self.decide(joined, yes, no.no)
        if _changes_nothing(test, yes, no):
            return no
        return self._made.setdefault((test, yes, no), Decision(test, yes, no))

    def expression(self, expression: Expression, yes: Node, no: Node) -> Node:
        """A node that leads to `yes` if the expression is true, otherwise to `no`."""
        match expression:
            case Test():
                return self.decide(expression, yes, no)
            case Constant(value):
                return yes if value else no
            case All(parts):
                for part in reversed(parts):
                    yes = self.expression(part, yes, no)
                return yes
            case Some(parts):
                for part in reversed(parts):
                    no = self.expression(part, yes, no)
                return no
            case Not(part):
                return self.expression(part, no, yes)
            case Choose(condition, then, otherwise):
                return self.expression(condition, self.expression(then, yes, no), self.expression(otherwise, yes, no))
        raise TypeError(expression)

    def rules(self, rules: Sequence[tuple[Expression, int | None]]) -> Node:
        """A node that leads to the output of the first rule that is true."""
        node = self.leaf(None)
        for expression, output in reversed(rules):
            node = self.expression(expression, self.leaf(output), node)
        return node


def _both(first: Test, second: Test) -> Test | None:
    """One test that holds if both of two tests hold; None if there is none."""
    if first.word != second.word or first.short or second.short or (first.value ^ second.value) & first.mask & second.mask:
        return None
    return first._replace(mask=first.mask | second.mask, value=first.value | second.value)


def _either(first: Test, second: Test) -> Test | None:
    """One test that holds if either of two tests holds; None unless they differ only in the value of one bit."""
    bit = first.value ^ second.value
    if first.word != second.word or first.mask != second.mask or first.short or second.short or bit & (bit - 1):
        return None
    mask = first.mask & ~bit
    return first._replace(mask=mask, value=first.value & mask) if needed(first.offset, mask) == first.needs else None


def _changes_nothing(test: Test, yes: Node, no: Node) -> bool:
    """Whether the test is useless, since packets that pass it would also get from `no` to `yes`, by failing the tests there."""
    for _ in range(LOOKED_AHEAD):
        if no is yes:
            return True
        if not isinstance(no, Decision) or not _contrary(test, no.test):
            return False
        no = no.no
    return False


def _contrary(one: Test, other: Test) -> bool:
    """Whether `other` fails if `one` holds."""
    differs = (one.value ^ other.value) & one.mask & other.mask
    return one.word == other.word and bool(differs) and not one.short and not other.short


def children(node: Node) -> tuple[Node, ...]:
    match node:
        case Leaf():
            return ()
        case HandOver():
            return (node.next,)
    return node.yes, node.no


def in_order(root: Any, successors: Callable[[Any], tuple] = children) -> list:
    """All nodes, each before its successors, and those on the side of `yes` before those on the side of `no`."""
    finished: dict[Any, None] = {}
    stack: list[tuple[Any, bool]] = [(root, False)]
    while stack:
        node, entered = stack.pop()
        if entered:
            finished[node] = None
        elif node not in finished:
            stack.append((node, True))
            stack += [(child, False) for child in successors(node)]
    return list(reversed(finished))


def outputs(root: Node) -> set[int | None]:
    """The outputs that packets can reach."""
    return {node.output for node in in_order(root) if isinstance(node, Leaf)}


def all_tests(nodes: Iterable[Node]) -> Iterator[Test]:
    return (node.test for node in nodes if isinstance(node, Decision))
