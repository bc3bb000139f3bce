"""Decision graphs without tests whose answer is known: each way through the graph goes past what it knows already.

Where ways meet that know different things, the rest of the graph is made once for each; `Facts.about` keeps that rare.
When many times as many nodes come out as went in, ways forget what they know: the graph stays right, and small. The
lengths of a large graph's packets are checked at its beginning, for the same reason.
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
#: Ways begin to forget when there are more states than a constant plus this many times the nodes.
GROWTH, SPARE = 2, 512


def simplify(root: Node, maker: Maker) -> Node:
    """The graph without useless tests."""
    return _Specialiser(root, maker, checks=False).run()


def with_checks(root: Node, maker: Maker) -> Node:
    """The same, with a Check before tests that would read beyond the packet's end.

    In a small graph a check asks for the bytes that every way from there needs. In others it asks for all that the tests after it
    may need, so that a packet that has them is checked once; where it fails, the way goes on with checks for what the next test needs.
    """
    try:
        return _Specialiser(root, maker, checks=True).run()
    except _TooLarge:
        return checked_at_once(root, maker)


def checked_at_once(root: Node, maker: Maker) -> Node:
    """The same in at most three times as many nodes: packets that have all bytes that any test may need are separated
    from others first. For those the runtime checks before each test; the kernel gives them up."""
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
    """The bytes of each region that every way from a node tests."""
    found: dict[Node, dict[str, int]] = {}
    for node in reversed(order):
        found[node] = {}
        if isinstance(node, Decision):
            yes, no = found[node.yes], found[node.no]
            found[node] = {region: min(yes[region], no[region]) for region in yes.keys() & no.keys()}
            found[node][node.test.region] = max(node.test.needs, found[node].get(node.test.region, 0))
    return found


class _TooLarge(Exception):
    """Ways have to forget so much that another graph is smaller."""


@frozen
class _State:
    """Arrival at a node of the old graph with some knowledge: a node of the new one."""

    node: Node
    facts: Facts = field(compare=False)
    key: tuple

    @classmethod
    def of(cls, node: Node, facts: Facts) -> Self:
        return cls(node, facts, facts.key())


#: A test or a check (region, length), and the states that follow where it holds and where not.
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
        """Follow the answers that are known."""
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
        """The bytes that a check before this test asks for."""
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
