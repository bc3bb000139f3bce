"""Graphs for packets of which it is known how many each rule takes: rules that take many are asked about first.

A packet still goes to the output of the first rule that is true of it: in front, a rule is only true of packets that no earlier
rule with another output is true of. This costs the other packets tests, so it is done where packets together meet fewer.
"""

from __future__ import annotations

from collections.abc import Sequence

from clickbpf.classify.expression import All, Expression, Not, Some
from clickbpf.classify.flow import Flow, Kind
from clickbpf.classify.graph import Maker, Node, in_order
from clickbpf.classify.specialise import simplify

#: Rules that may come first: at most so many, each of which takes at least this share of all packets.
MOST, SHARE = 4, 1 / 16
#: A graph is better if packets meet at most this share of the tests, and worse with more than so many times as many nodes, beside some.
BETTER, GROWTH, SPARE = 0.98, 2, 32


def favouring(
    graph: Node, rules: Sequence[tuple[Expression, int | None]], packets: Sequence[int], flowing: Sequence[Kind], maker: Maker
) -> tuple[Node, tuple[int, ...]]:
    """The graph of the rules, or a better one that does the same, and the numbers of the rules that it asks about first. `packets` has
    the packets of each rule, `flowing` what is known of them."""
    room = GROWTH * len(in_order(graph)) + SPARE
    tests, first = Flow(graph, flowing).tests, ()
    for number in _frequent(packets[: len(rules)], sum(packets)):
        asked = (*first, number)
        other = simplify(maker.rules([*(_in_front(rules, each) for each in asked), *rules]), maker)
        fewer = Flow(other, flowing).tests
        if fewer <= BETTER * tests and len(in_order(other)) <= room:
            graph, tests, first = other, fewer, asked
    return graph, first


def _frequent(packets: Sequence[int], total: int) -> list[int]:
    """The rules that may come first, by their numbers, those with most packets first."""
    found = [number for number, taken in enumerate(packets) if taken and taken >= SHARE * total]
    return sorted(found, key=lambda number: -packets[number])[:MOST]


def _in_front(rules: Sequence[tuple[Expression, int | None]], number: int) -> tuple[Expression, int | None]:
    """The rule as it may come before all others."""
    expression, output = rules[number]
    others = [earlier for earlier, other in rules[:number] if other != output]
    return All(expression, Not(Some(*others))), output
