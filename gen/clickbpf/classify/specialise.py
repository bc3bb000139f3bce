"""Decision graphs without useless tests: each path skips tests whose answer it knows already.

Where paths with different facts meet, the rest of the graph is made once for each; `Facts.about` keeps that rare. If the graph would become
several times as large, paths forget their facts, so that it stays correct and small. For the same reason a large graph checks the packet's
length at its beginning.
"""

from dataclasses import field
from typing import Self

from clickbpf.classify.ahead import tests_ahead
from clickbpf.classify.expression import Test
from clickbpf.classify.facts import NOTHING, Facts
from clickbpf.classify.graph import Decision, Leaf, Maker, Node, in_order
from clickbpf.frozen import frozen

#: The most tests of a small graph.
SMALL = 32
#: Paths begin to forget when there are more states than GROWTH times the nodes, plus SPARE.
GROWTH, SPARE = 2, 512


def simplify(root: Node, maker: Maker) -> Node:
    """The graph without useless tests."""
    return _Specialiser(root, maker, checks=False).run()


def with_checks(root: Node, maker: Maker) -> Node:
    """Like simplify(), with a Check before tests that might read beyond the packet's end.

    In a small graph a check is for the bytes that every path from there needs. In others it is for all bytes that the tests after it may
    need, so that most packets are checked once; if it fails, the path continues with a check for each test.
    """
    try:
        return _Specialiser(root, maker, checks=True).run()
    except _TooLarge:
        return checked_at_once(root, maker)


def checked_at_once(root: Node, maker: Maker) -> Node:
    """Like with_checks(), in at most three times as many nodes: packets with all bytes that any test may need are first separated from the
    others. For the latter the runtime checks before each test, and the kernel punts."""
    certain: dict[Node, Node] = {}
    careful: dict[Node, Node] = {}
    longest: dict[str, int] = {}
    for node in reversed(in_order(root)):
        if isinstance(node, Leaf):
            certain[node] = careful[node] = node
            continue
        test = node.test._replace(short=False)
        certain[node] = maker.decide(test, certain[node.yes], certain[node.no])
        decision = maker.decide(test, careful[node.yes], careful[node.no])
        careful[node] = maker.check(test.region, test.needs, decision, careful[node.yes if node.test.short else node.no])
        longest[test.region] = max(longest.get(test.region, 0), test.needs)
    start, otherwise = certain[root], maker.hand_over(careful[root])
    for region, length in longest.items():
        start = maker.check(region, length, start, otherwise)
    return start


def _certain(order: list[Node]) -> dict[Node, dict[str, int]]:
    """The bytes of each region that every path from a node tests."""
    found: dict[Node, dict[str, int]] = {}
    for node in reversed(order):
        found[node] = {}
        if isinstance(node, Decision):
            yes, no = found[node.yes], found[node.no]
            found[node] = {region: min(yes[region], no[region]) for region in yes.keys() & no.keys()}
            found[node][node.test.region] = max(node.test.needs, found[node].get(node.test.region, 0))
    return found


class _TooLarge(Exception):
    """Paths have to forget so much that the graph of checked_at_once() is smaller."""


@frozen
class _State:
    """A node of the old graph with the facts on arrival: a node of the new graph."""

    node: Node
    facts: Facts = field(compare=False)
    key: tuple

    @classmethod
    def of(cls, node: Node, facts: Facts) -> Self:
        return cls(node, facts, facts.key())


#: A test or a check (region, length), and the states that follow if it holds and if not.
_Step = tuple[Test | tuple[str, int], _State, _State]


class _Specialiser:
    def __init__(self, root: Node, maker: Maker, checks: bool):
        self.root, self.maker, self.checks = root, maker, checks
        order = in_order(root)
        self.limit = GROWTH * len(order) + SPARE
        self.certain = _certain(order) if len(order) <= SMALL else {}
        self.ahead = tests_ahead(order)
        self.steps: dict[_State, _Step] = {}

    def run(self) -> Node:
        start = self.arrive(self.root, NOTHING)
        left = [start]
        while left:
            state = left.pop()
            if state not in self.steps and isinstance(state.node, Decision):
                self.steps[state] = self.step(state.node, state.facts)
                left += self.steps[state][1:]
        return self.build(start)

    def arrive(self, node: Node, facts: Facts) -> _State:
        """Follow known answers to the next node, and return the state there."""
        while isinstance(node, Decision):
            answer = facts.decide(node.test)
            if answer is None:
                facts = facts.about(self.ahead[node])
                if len(self.steps) > self.limit:
                    if self.checks:
                        raise _TooLarge
                    facts = NOTHING
                return _State.of(node, facts)
            node = node.yes if answer else node.no
        return _State.of(node, NOTHING)

    def step(self, node: Decision, facts: Facts) -> _Step:
        test = node.test
        if self.checks and not facts.present(test):
            length = self.wanted(node, failed=facts.length(test.region).failed)
            yes = self.arrive(node, facts.at_least(test.region, length))
            return (test.region, length), yes, self.arrive(node, facts.below(test.region, length))
        asked = test._replace(short=False) if self.checks else test
        return asked, self.arrive(node.yes, facts.assume(test, True)), self.arrive(node.no, facts.assume(test, False))

    def wanted(self, node: Decision, failed: bool) -> int:
        """The number of bytes for a check before this test."""
        region = node.test.region
        if failed:
            return node.test.needs
        return self.certain[node][region] if self.certain else max(self.ahead[node].needs[region])

    def build(self, start: _State) -> Node:
        made: dict[_State, Node] = {}
        for state in reversed(in_order(start, lambda state: self.steps[state][1:] if state in self.steps else ())):
            if isinstance(state.node, Leaf):
                made[state] = self.maker.leaf(state.node.output)
                continue
            question, yes, no = self.steps[state]
            make = self.maker.decide if isinstance(question, Test) else self.maker.check
            made[state] = make(*([question] if isinstance(question, Test) else question), made[yes], made[no])
        return made[start]
