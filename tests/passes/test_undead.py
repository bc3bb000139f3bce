"""What no packet needs goes: each case with the graph before and after (click-undead's manual, and its results)."""

import pytest

from clickbpf.compile import check_text, optimised
from clickbpf.graph.elaborate import read_text
from clickbpf.graph.unparse import unparse_router
from clickbpf.passes import UNDEAD, apply
from clickbpf.vocabulary.library import Library

LIBRARY = Library.standard()
IN, OUT = "in :: FromDevice(a)", "out :: Queue -> to :: ToDevice(b)"


def graph(router) -> tuple[dict[str, str], set[str]]:
    """The elements, and the connections as text."""
    return {e.name: f"{e.class_name}({e.config})" for e in router.elements}, {str(c) for c in router.connections}


def undead(text: str):
    return graph(apply(UNDEAD, read_text(text, None), LIBRARY))


CASES = [
    ("what has no source", f"{IN} -> {OUT}; Idle -> Counter -> Discard", f"{IN} -> {OUT}"),
    ("what has no sink", f"{IN} -> {OUT}; InfiniteSource -> Counter -> Idle", f"{IN} -> {OUT}"),
    ("what goes in circles", f"{IN} -> {OUT}; x :: Paint(1) -> y :: Paint(2) -> x", f"{IN} -> {OUT}"),
    ("Nulls", f"{IN} -> Null -> c :: Counter -> Null -> Null -> {OUT}", f"{IN} -> c :: Counter -> {OUT}"),
    ("Nulls that join", f"{IN} -> n :: Null -> {OUT}; b :: RatedSource -> n", f"{IN} -> {OUT}; b :: RatedSource -> out"),
    ("a static switch", f"{IN} -> s :: StaticSwitch(1); s[0] -> Print -> Discard; s[1] -> {OUT}", f"{IN} -> {OUT}"),
    (
        "a static pull switch",
        "in :: FromDevice(a) -> q :: Queue -> s :: StaticPullSwitch(0) -> to :: ToDevice(b); FromDevice(c) -> Queue -> [1] s",
        "in :: FromDevice(a) -> q :: Queue -> to :: ToDevice(b)",
    ),
    (
        "a scheduler with one live input",
        "in :: FromDevice(a) -> q :: Queue -> [1] s :: PrioSched -> to :: ToDevice(b); Idle -> Queue -> [0] s",
        "in :: FromDevice(a) -> q :: Queue -> to :: ToDevice(b)",
    ),
    (
        "a dead port of a scheduler",
        "a :: FromDevice(a) -> q :: Queue -> s :: RoundRobinSched -> to :: ToDevice(b); Idle -> [1] s; "
        "b :: FromDevice(b) -> r :: Queue -> [2] s",
        "a :: FromDevice(a) -> q :: Queue -> s :: RoundRobinSched -> to :: ToDevice(b); b :: FromDevice(b) -> r :: Queue -> [1] s",
    ),
    (
        "a dead port of a tee",
        f"{IN} -> t :: Tee(3) -> {OUT}; t[1] -> Counter -> Idle; t[2] -> d :: Discard",
        f"{IN} -> t :: Tee(2) -> {OUT}; t[1] -> d :: Discard",
    ),
    ("a tee with one output", f"{IN} -> t :: Tee(2) -> {OUT}; t[1] -> Idle", f"{IN} -> {OUT}"),
]


@pytest.mark.parametrize("before, after", [case[1:] for case in CASES], ids=[case[0] for case in CASES])
def test_a_case(before, after):
    assert undead(before) == graph(read_text(after, None))


def test_ports_that_are_asked_for_stay():
    """A Classifier's output, and the input of a scheduler for which it counts which one it is."""
    elements, connections = undead(f"{IN} -> c :: Classifier(12/0800, -) -> {OUT}; c[1] -> Counter -> Idle")
    assert elements["c"] == "Classifier(12/0800, -)"
    (idle,) = (name for name, text in elements.items() if text == "Idle()")
    assert f"c[1] -> {idle}[0]" in connections
    elements, connections = undead("FromDevice(a) -> Queue -> s :: StrideSched(1, 2) -> ToDevice(b); Idle -> [1] s")
    assert elements["s"] == "StrideSched(1, 2)"
    assert any(connection.endswith("s[1]") for connection in connections)


def test_flow_codes_say_what_is_reached():
    """The second input of an ARPQuerier is a sink: responses end there."""
    text = f"{IN} -> arp :: ARPQuerier(1.0.0.1, 1:1:1:1:1:1) -> {OUT}; b :: FromDevice(b) -> [1] arp"
    assert undead(text) == graph(read_text(text, None))


def test_information_and_classes_that_nobody_knows_stay():
    text = "AddressInfo(x 1.2.3.4); s :: Script(print 1); ControlSocket(tcp, 1); a :: Mystery -> b :: Riddle; FromDevice(a) -> Discard"
    assert undead(text) == graph(read_text(text, None))


def test_nothing_is_left_of_nothing():
    assert undead("RatedSource -> StaticSwitch(-1) -> Discard") == ({}, set())


def level(text: str, number: int) -> dict[str, str]:
    return graph(optimised(check_text(text, LIBRARY), LIBRARY, number).router)[0]


def test_levels_of_the_compiler_take_out_only_what_no_packet_reaches():
    """A source keeps its device though nothing comes of it, for Linux doesn't get the packets that it receives."""
    text = "FromDevice(a) -> c :: Counter -> Idle; Idle -> d :: Paint(1) -> Discard; FromDevice(b) -> Null -> Queue -> ToDevice(b);"
    assert level(text, 0) == graph(read_text(text, LIBRARY))[0]
    assert {"c"} == {"c", "d"} & level(text, 1).keys()
    assert "Null()" not in level(text, 1).values()


def test_levels_of_the_compiler_leave_what_others_name():
    text = (
        "FromDevice(a) -> n :: Null -> s :: StaticSwitch(0) -> red :: RED(1, 5, 0.1, QUEUES q) -> q :: Queue -> ToDevice(b);"
        "Script(print n.config, print $(s.config)); Idle -> idle :: Paint(1) -> Discard; Script(write idle.color 3);"
    )
    assert {"n", "s", "q", "idle"} <= level(text, 2).keys()


def test_levels_of_the_compiler_leave_what_is_named_in_a_compound_or_to_be_kept():
    text = "elementclass W { input -> n :: Null -> output; Script(print n.config) } FromDevice(a) -> w :: W -> n :: Null -> Discard;"
    assert {"w/n", "n"} & level(text, 1).keys() == {"w/n"}
    assert {"w/n", "n"} <= graph(optimised(check_text(text, LIBRARY), LIBRARY, 1, keep=frozenset({"n"})).router)[0].keys()


@pytest.mark.parametrize("sends", ["BeaconSource(WIRELESS_INFO net, RT rates)", "AssociationRequester(RT rates)", "OpenAuthRequester"])
def test_levels_of_the_compiler_leave_the_way_of_what_is_sent_unasked(sends):
    text = f"net :: WirelessInfo; rates :: AvailableRates; Idle -> x :: {sends} -> q :: Queue -> to :: ToDevice(a);"
    before = check_text(text, LIBRARY).router
    after = optimised(check_text(text, LIBRARY), LIBRARY, 1).router
    for name in ("x", "q"):
        assert after.connections_from(name) == before.connections_from(name) != ()


def test_the_result_can_be_read_again():
    before = read_text(CASES[8][1], None)
    after = apply(UNDEAD, before, LIBRARY)
    assert graph(read_text(unparse_router(after), None)) == graph(after)
