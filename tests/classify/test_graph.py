"""Decision graphs give what their rules say, whatever is known on the way, and read no byte that isn't there."""

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from tests.classify import meaning
from tests.classify.meaning import classify, evaluate

from clickbpf.classify import expression as e
from clickbpf.classify import specialise
from clickbpf.classify.graph import Check, Decision, HandOver, Leaf, Maker, all_tests, in_order, outputs
from clickbpf.classify.specialise import SMALL

MASKS = (0xFF000000, 0xFFFF0000, 0x00FF0000, 0xFF, 0x01000000, 0x00000001, 0x03000000, 0xFFFFFF00, 0x80000001, 0xF0F00000)
VALUES = (0, 0x01010101, 0x02020202, 0x03030303, 0x81010101)

TESTS = st.builds(
    lambda region, offset, mask, value, short: e.Test(region, offset, mask, value & mask, short),
    st.sampled_from("ab"),
    st.sampled_from((0, 4, 8)),
    st.sampled_from(MASKS),
    st.sampled_from(VALUES),
    st.booleans(),
)
EXPRESSIONS = st.recursive(
    TESTS | st.sampled_from((e.TRUE, e.FALSE)),
    lambda inner: st.one_of(
        st.lists(inner, max_size=3).map(lambda parts: e.All(*parts)),
        st.lists(inner, max_size=3).map(lambda parts: e.Some(*parts)),
        st.builds(e.Not, inner),
        st.builds(e.Choose, inner, inner, inner),
    ),
    max_leaves=8,
)
RULES = st.lists(EXPRESSIONS, min_size=1, max_size=6)
PACKETS = st.dictionaries(
    st.sampled_from("ab"), st.lists(st.sampled_from((0, 1, 2, 3, 0x81)), max_size=13).map(bytes), min_size=2, max_size=2
)


def first_true(rules: list, packet: dict[str, bytes]) -> int | None:
    return next((number for number, rule in enumerate(rules) if evaluate(rule, packet)), None)


def compiled(rules: list):
    """The graph as made, without useless tests, and with checks."""
    maker = Maker()
    graph = maker.rules([(rule, number) for number, rule in enumerate(rules)])
    simple = specialise.simplify(graph, maker)
    return graph, simple, specialise.with_checks(simple, maker)


def reads_only_what_is_there(root, packet: dict[str, bytes]) -> bool:
    """Whether each test on the packet's way comes after a check for its bytes."""
    checked = {"a": 0, "b": 0}
    node = root
    while not isinstance(node, Leaf):
        if isinstance(node, HandOver):
            node = node.next
            continue
        if isinstance(node, Check):
            holds = len(packet[node.region]) >= node.length
            if holds:
                checked[node.region] = max(checked[node.region], node.length)
        else:
            if node.test.needs > checked[node.test.region]:
                return False
            holds = meaning.holds(node.test, packet)
        node = node.yes if holds else node.no
    return True


@settings(max_examples=150)
@given(RULES, st.lists(PACKETS, min_size=20, max_size=20))
def test_all_forms_of_the_graph_decide_as_the_rules(rules, packets):
    graphs = compiled(rules)
    for packet in packets:
        wanted = first_true(rules, packet)
        assert [classify(graph, packet) for graph in graphs] == [wanted] * 3
        assert reads_only_what_is_there(graphs[2], packet)


@pytest.mark.whole
@settings(max_examples=100)
@given(RULES, st.lists(PACKETS, min_size=20, max_size=20))
def test_forgetting_keeps_the_meaning(rules, packets):
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(specialise, "GROWTH", 0)
        patch.setattr(specialise, "SPARE", 1)
        graphs = compiled(rules)
    for packet in packets:
        assert [classify(graph, packet) for graph in graphs] == [first_true(rules, packet)] * 3
        assert reads_only_what_is_there(graphs[2], packet)


def word(offset: int, value: int, mask: int = 0xFFFFFFFF) -> e.Test:
    return e.Test("a", offset, mask, value & mask)


def test_a_test_is_not_made_twice():
    """Where 12/0806 held, 12/0800 can't, and the other way round it need not be asked again."""
    arp, ip = word(12, 0x08060000, 0xFFFF0000), word(12, 0x08000000, 0xFFFF0000)
    request, reply = word(20, 0x10000, 0xFFFF0000), word(20, 0x20000, 0xFFFF0000)
    _, simple, checked = compiled([e.All(arp, request), e.All(arp, reply), ip, e.TRUE])
    assert len([node for node in in_order(simple) if isinstance(node, Decision)]) == 4
    # Only ARP's packets are asked for more than the type.
    checks = [node for node in in_order(checked) if isinstance(node, Check)]
    assert checks[0] is checked and [check.length for check in checks] == [14, 22]
    assert isinstance(checked.yes, Decision) and checked.yes.test == arp
    assert checks[1] not in in_order(checked.yes.no)


def test_all_bytes_of_a_large_graph_are_checked_at_once():
    rules = [e.All(word(12, n), word(20 + 4 * (n % 2), n)) for n in range(SMALL)]
    _, _, checked = compiled(rules)
    assert isinstance(checked, Check) and checked.length == 28
    assert not [node for node in in_order(checked.yes) if isinstance(node, Check)]


def test_tests_of_one_word_are_joined():
    _, simple, _ = compiled([e.All(word(0, 0x08000000, 0xFF000000), word(0, 0x00060000, 0x00FF0000))])
    assert list(all_tests(in_order(simple))) == [word(0, 0x08060000, 0xFFFF0000)]


@settings(max_examples=200)
@given(EXPRESSIONS, PACKETS)
def test_unlike_is_the_opposite_for_packets_with_all_bytes(expression, packet):
    whole = {region: data.ljust(12, b"\0") for region, data in packet.items()}
    assert evaluate(e.unlike(expression), whole) != evaluate(expression, whole)


def test_unlike_of_a_test_is_false_of_a_short_packet_as_well():
    test = word(0, 1)
    short = {"a": b"\0\0\0"}
    assert [evaluate(x, short) for x in (test, e.unlike(test), e.Not(test), e.unlike(e.unlike(test)))] == [False, False, True, False]


def test_what_asks_one_word_is_asked_with_the_tests_of_that_word():
    """Two protocols (word 8) stand in front of a port (region b), whichever way they are combined."""
    either = e.Some(word(8, 6), word(8, 17))
    port = e.Test("b", 0, 0xFFFF, 80)
    assert e.All(port, either).parts == (either, port)
    assert e.All(port, e.Some(either, word(0, 1))).parts == (port, e.Some(either, word(0, 1)))


def test_where_the_bytes_are_known_to_be_there_short_answers_are_no_difference():
    """`!=` and `not` differ in what short packets do: after the check of the length they are one test."""
    rules = [e.unlike(word(0, 1 << 24, 0xFF000000)), e.Not(word(0, 2 << 24, 0xFF000000)), e.TRUE]
    _, _, checked = compiled(rules)
    assert isinstance(checked, Check)
    assert not any(test.short for test in all_tests(in_order(checked)))


def test_values_that_differ_in_one_bit_are_one_test():
    _, simple, _ = compiled([e.Some(word(0, 6 << 24, 0xFF000000), word(0, 7 << 24, 0xFF000000))])
    assert list(all_tests(in_order(simple))) == [word(0, 6 << 24, 0xFE000000)]


def test_joining_must_not_let_short_packets_pass():
    """4/01 or 4/00 in the last byte: without that bit no byte would be left to look at."""
    graph, simple, _ = compiled([e.Some(word(0, 1, 0x01), word(0, 0, 0x01))])
    assert [classify(g, {"a": b"\0\0\0"}) for g in (graph, simple)] == [None, None]


@pytest.mark.parametrize(
    ("rules", "reachable"),
    [
        ([word(0, 1), e.TRUE, word(0, 2)], {0, 1}),
        ([e.All(word(0, 1), word(0, 2)), e.TRUE], {1}),
        ([word(0, 0, 0xFF), e.Not(word(0, 0, 0xFF)), e.TRUE], {0, 1}),
        ([word(0, 0x08000000, 0xFF000000), word(0, 0x08060000, 0xFFFF0000)], {0, None}),
    ],
)
def test_outputs_that_no_packet_takes(rules, reachable):
    assert outputs(compiled(rules)[1]) == reachable


@pytest.mark.whole
def test_many_rules_stay_linear():
    """A thousand pairs of addresses: about two tests for each."""
    rules = [e.All(word(12, 7919 * n), word(16, 104729 * n)) for n in range(1, 1001)]
    for graph in compiled(rules)[1:]:
        assert len(in_order(graph)) < 3100


def test_many_overlapping_rules_do_not_explode():
    masks = [0xFF << (8 * (n % 4)) | 0xFF << (8 * (n // 4 % 4)) for n in range(96)]
    rules = [e.All(word(4 * (n % 3), n * 0x01010101, masks[n]), word(12, n << (n % 24), masks[-n])) for n in range(96)]
    graph, simple, checked = compiled(rules)
    # Ways on which all is forgotten add the nodes once more; before all tests of odd packets there is a check.
    sizes = [len(in_order(root)) for root in (graph, simple, checked)]
    assert sizes[1] <= specialise.GROWTH * sizes[0] + specialise.SPARE + sizes[0]
    assert sizes[2] <= max(specialise.GROWTH * sizes[1] + specialise.SPARE, 3 * sizes[1] + 3)
