"""Graphs that are made for the packets that come: other tests, or in another order, and the same decisions."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.classify.meaning import classify, evaluate, holds
from tests.classify.test_emit import PACKETS, RULES, c_text

from clickbpf.classify import Program
from clickbpf.classify import expression as e
from clickbpf.classify.flow import Flow, kinds
from clickbpf.classify.graph import Decision

COUNTS = st.lists(st.one_of(st.just(0), st.integers(1, 3), st.integers(0, 1 << 64)), min_size=9, max_size=9)


def first(rules: list[tuple[e.Expression, int | None]], packet: bytes) -> int | None:
    return next((output for rule, output in rules if evaluate(rule, {"data": packet})), None)


def met(program: Program, packet: bytes) -> int:
    """The tests that a packet meets."""
    node, count = program.graph, 0
    while isinstance(node, Decision):
        node, count = (node.yes if holds(node.test, {"data": packet}) else node.no), count + 1
    return count


@given(RULES, COUNTS, st.lists(st.sampled_from((None, 0, 1)), min_size=8, max_size=8), st.lists(PACKETS, max_size=20))
def test_whatever_packets_it_is_made_for_it_decides_the_same(expressions, counts, outputs, packets):
    rules = list(zip(expressions, outputs, strict=False))
    program = Program(rules, packets=counts[: len(rules) + 1])
    for packet in packets:
        wanted = first(rules, packet)
        assert classify(program.graph, {"data": packet}) == wanted
        assert classify(program.checked, {"data": packet}) == wanted


def byte(offset: int, value: int) -> e.Test:
    return e.Test("data", offset // 4 * 4, 0xFF << 8 * (3 - offset % 4), value << 8 * (3 - offset % 4))


#: Each is a test of another word.
CHAIN = [(e.All(byte(4 * n, 7), byte(4 * n + 1, 8)), n % 2) for n in range(5)]


def packet_of(rule: int) -> bytes:
    return bytes(4 * rule) + bytes((7, 8)) + bytes(24 - 4 * rule)


def test_a_rule_that_takes_most_packets_is_asked_about_first():
    plain, made = Program(CHAIN), Program(CHAIN, packets=[1, 1, 1, 1, 1000, 1])
    assert made.first == (4,)
    assert met(plain, packet_of(4)) == 5
    # its own test, and those of the two rules before it that lead elsewhere
    assert met(made, packet_of(4)) == 3


def test_the_most_frequent_rules_come_in_the_order_of_their_packets():
    made = Program(CHAIN, packets=[0, 0, 400, 0, 600, 0])
    assert made.first == (4, 2)
    assert met(made, packet_of(4)) < met(Program(CHAIN), packet_of(4))


@pytest.mark.parametrize("packets", [[], [0] * 6, [1000, 1, 1, 1, 1, 1], [1, 1, 1, 1, 1, 1000], [10] * 6])
def test_no_rule_comes_first_where_that_would_not_save_tests(packets):
    """Without packets; where the first rule, or none, takes them; where all rules take as many."""
    made = Program(CHAIN, packets=packets)
    assert made.first == ()
    assert made.graph.test == Program(CHAIN).graph.test


def test_a_rule_does_not_overtake_one_that_takes_its_packets():
    """Where both are true, the earlier one decides, however many packets the later one has."""
    rules = [(byte(0, 1), 0), (byte(4, 2), 1), (byte(8, 3), 2), (byte(12, 4), 3)]
    made = Program(rules, packets=[0, 0, 0, 1 << 40, 0])
    both = bytes([1, 0, 0, 0, 0, 0, 0, 0, 3, 0, 0, 0, 4])
    assert classify(made.graph, {"data": both}) == 0
    assert classify(made.graph, {"data": bytes(8) + both[8:]}) == 2


def test_rules_that_are_data_stay_data():
    rules = [(byte(n % 16, n // 16), n) for n in range(130)]
    made = Program(rules, packets=[*[0] * 129, 1000, 0])
    assert made.vectors and made.first == ()


def test_rules_that_are_code_stay_code():
    """A rule in front makes one more of them than is code otherwise."""
    rules = [(byte(n % 16, n // 16), n) for n in range(128)]
    assert Program(rules, Program(rules), [*[0] * 127, 1000, 0]).vectors is None


def test_the_likely_side_of_tests_is_said():
    text = c_text(Program(CHAIN, packets=[1, 1, 1, 1, 1000, 1]))
    assert "\tif (unlikely(word16(data + 16) != htons(0x0708))) {\n" in text
    assert "\tif (likely(word16(data + 12) != htons(0x0708)))\n\t\treturn 0;\n" in text
    assert "likely" not in c_text(Program(CHAIN))


def test_the_case_of_most_packets_comes_before_the_switch():
    ports = [(e.Test("data", 0, 0xFFFF0000, port << 16), port) for port in range(1, 21)]
    text = c_text(Program(ports, packets=[*[1] * 12, 100, *[1] * 8]))
    assert "\tif (likely(word16(data) == htons(0x000d)))\n\t\treturn 13;\n\tswitch (word16(data)) {\n" in text
    assert "likely" not in c_text(Program(ports, packets=[5] * 21)).split("switch")[0]


def test_packets_flow_where_their_rule_sends_them():
    """Alternatives divide a rule's packets; an address of another rule is unlikely."""
    rules = [(byte(0, 9), 0), (e.Some(byte(4, 1), byte(8, 1)), 1)]
    program = Program(rules)
    flow = Flow(program.graph, kinds(rules, [10, 64, 0]))
    yes, no = flow.sides(program.graph)
    assert yes == 10 + 64 / 32 and no == 64 - 64 / 32
    following = flow.sides(program.graph.no)
    assert following[0] == no / 2 + no / 2 / 32


def test_a_rule_that_can_not_hold_has_no_ways():
    assert kinds([(e.All(byte(0, 1), byte(0, 2)), 0), (e.FALSE, 1)], [5, 5, 7])[0][0] == 7
