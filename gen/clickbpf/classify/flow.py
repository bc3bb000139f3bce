"""How packets flow through a decision graph, estimated from how many of them each rule takes.

What a rule asks for by itself is known of the packets that it takes. Of what else a graph asks, such as whether an address is
another rule's, nothing is known: then it is taken for unlikely, the more bits have to be equal the more so.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from clickbpf.classify.expression import TRUE, All, Choose, Constant, Expression, Not, Some, Test
from clickbpf.classify.facts import NOTHING, Facts
from clickbpf.classify.graph import Check, Decision, HandOver, Node, in_order

#: Bits beyond which a test can't become less likely.
MOST_BITS = 5

#: The most alternatives of a rule that are looked at.
MOST_WAYS = 16

#: Packets of which the same is known.
Kind = tuple[float, Facts]


def kinds(rules: Sequence[tuple[Expression, int | None]], packets: Sequence[int]) -> list[Kind]:
    """The packets of each rule that takes any, and at the end of `packets` those that none takes. Those of a rule with alternatives
    are divided equally among these."""
    found: list[Kind] = []
    for expression, number in zip([*(expression for expression, _ in rules), TRUE], packets, strict=True):
        ways = _ways(expression, True, NOTHING) if number else []
        found += [(number / len(ways), facts) for facts in ways]
    return found


def _ways(expression: Expression, holds: bool, facts: Facts) -> list[Facts]:
    """What is known of packets that the facts are known of and for which an expression is true (or isn't), by its alternatives. There
    are none if that is impossible."""
    match expression:
        case Constant(value):
            return [facts] if value == holds else []
        case Test():
            decided = facts.decide(expression)
            return [facts.assume(expression, holds)] if decided is None else [facts] if decided == holds else []
        case Not(part):
            return _ways(part, not holds, facts)
        case All(parts) | Some(parts):
            together = isinstance(expression, All) == holds
            return (_all_of if together else _one_of)([(part, holds) for part in parts], facts)
        case Choose(condition, then, otherwise):
            sides = ((condition, True), (then, holds)), ((condition, False), (otherwise, holds))
            return [found for side in sides for found in _all_of(side, facts)][:MOST_WAYS]
    raise TypeError(expression)


def _all_of(parts: Iterable[tuple[Expression, bool]], facts: Facts) -> list[Facts]:
    ways = [facts]
    for part, holds in parts:
        ways = [found for way in ways for found in _ways(part, holds, way)][:MOST_WAYS]
    return ways


def _one_of(parts: Iterable[tuple[Expression, bool]], facts: Facts) -> list[Facts]:
    return [found for part, holds in parts for found in _ways(part, holds, facts)][:MOST_WAYS]


class Flow:
    """Packets that come to the nodes of a graph and go on from its decisions, `yes` and `no`."""

    def __init__(self, root: Node, packets: Iterable[Kind]):
        order = in_order(root)
        self._sides: dict[Node, list[float]] = {node: [0.0, 0.0] for node in order if isinstance(node, Decision)}
        for number, facts in packets:
            self._add(order, number, facts)

    def _add(self, order: list[Node], number: float, facts: Facts) -> None:
        there: dict[Node, float] = dict.fromkeys(order, 0.0)
        there[order[0]] = number
        for node in order:
            match node:
                case HandOver():
                    there[node.next] += there[node]
                case Check():
                    there[node.yes] += there[node]
                case Decision():
                    yes = there[node] * _chance(node.test, facts)
                    no = there[node] - yes
                    there[node.yes] += yes
                    there[node.no] += no
                    self._sides[node][0] += yes
                    self._sides[node][1] += no

    def sides(self, node: Decision) -> tuple[float, float]:
        """The packets that go on at `yes`, and at `no`."""
        yes, no = self._sides[node]
        return yes, no

    @property
    def tests(self) -> float:
        """How many tests all packets together meet."""
        return sum(yes + no for yes, no in self._sides.values())


def _chance(test: Test, facts: Facts) -> float:
    """That the test holds for a packet."""
    decided = facts.decide(test)
    return 0.5 ** min(test.mask.bit_count(), MOST_BITS) if decided is None else float(decided)
