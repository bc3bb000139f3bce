"""Where elements run, and the reasons given: the kernel's part grows from the devices, and ends before what it can't run."""

import pytest

from clickbpf.compile import check_text
from clickbpf.objects.hooks import TC, XDP
from clickbpf.plan.place import place
from clickbpf.plan.values import CONTROL, ELIDED, USER, Options
from clickbpf.vocabulary.library import Library

LIBRARY = Library.standard()


def places(text: str, **options) -> dict[str, str]:
    return {name: placed.where for name, placed in place(check_text(text, LIBRARY), Options(**options))[0].items()}


def reason(text: str, name: str, **options) -> str:
    return place(check_text(text, LIBRARY), Options(**options))[0][name].reason


LINE = "f :: FromDevice(a) -> c :: Counter -> q :: Queue -> t :: ToDevice(b);"


def test_a_queue_before_a_device_is_its_transmit_ring():
    assert places(LINE) == {"f": XDP, "c": XDP, "q": ELIDED, "t": XDP}


def test_a_sniffer_gets_copies():
    """Which only user space can get, while Linux gets the packets."""
    assert reason("f :: FromDevice(a, SNIFFER true) -> Discard;", "f") == "Linux keeps the packets of a: copies of them enter here"


def test_what_acts_on_waiting_packets_only_has_nothing_to_do_where_none_waits():
    """All queues that it watches are transmit rings, whether it is before or after them; what only it drops never comes."""
    found = places("f :: FromDevice(a) -> r :: RED(5, 50, 0.02) -> q :: Queue -> c :: CoDel -> t :: ToDevice(b); r[1] -> d :: Discard;")
    assert found == {"f": XDP, "r": ELIDED, "q": ELIDED, "c": ELIDED, "t": XDP, "d": USER}


def test_what_watches_a_queue_in_user_space_is_there_too():
    text = """
        f :: FromDevice(a) -> r :: RED(5, 50, 0.02, QUEUES q x) -> q :: Queue -> t :: ToDevice(b);
        FromDevice(b) -> x :: Queue -> Unqueue -> Discard;
    """
    assert places(text)["r"] == places(text)["q"] == USER
    assert reason(text, "r") == "it watches x, in which packets wait"
    assert places(text.replace("q x", "q"))["r"] == ELIDED
    assert places("f :: FromDevice(a) -> r :: RED(5, 50, 0.02) -> Queue -> ToDevice(b);", user=frozenset({"r"}))["r"] == USER


def test_what_runs_in_user_space_only_ends_the_kernels_part():
    """All that only its packets reach is in user space as well, whatever its class could do."""
    found = places("f :: FromDevice(a) -> p :: TimeRange -> c :: Counter -> d :: Discard;")
    assert found == {"f": XDP, "p": USER, "c": USER, "d": USER}


def test_what_only_looks_at_packets_does_not_end_it():
    """Nor does it where a transmit ring stands in for a queue, or where packets end in it."""
    found = places("f :: FromDevice(a) -> p :: Print(x) -> q :: Queue -> i :: IPPrint -> t :: ToDevice(b);")
    assert found == {"f": XDP, "p": XDP, "q": ELIDED, "i": XDP, "t": XDP}
    assert places("f :: FromDevice(a) -> d :: ToDump(x);", hook=TC)["d"] == TC
    assert places("f :: FromDevice(a) -> p :: Print(x) -> d :: Discard;", user=frozenset({"p"}))["p"] == USER


def test_an_element_that_any_way_in_the_kernel_reaches_is_there():
    found = places("f :: FromDevice(a) -> s :: Switch(0); s[0] -> p :: TimeRange -> c :: Counter -> Discard; s[1] -> c;")
    assert (found["p"], found["c"]) == (USER, XDP)


def test_information_meets_no_packets():
    assert places("i :: AddressInfo(x 10.0.0.1); " + LINE)["i"] == CONTROL


def test_without_a_kernel_path_the_devices_alone_are_there():
    found = places(LINE, kernel=False)
    assert {name for name, where in found.items() if where != USER} == {"f"}


def test_what_is_asked_for_is_in_user_space():
    assert places(LINE, user=frozenset({"c"})) == {"f": XDP, "c": USER, "q": USER, "t": USER}


@pytest.mark.parametrize(
    "way, why",
    [
        ("s :: Shaper(10) -> ToDevice(b)", "s, which pulls from it, runs in user space"),
        ("u :: Unqueue -> Queue -> ToDevice(b)", "u takes packets out of it again (-O 3 avoids that where it can)"),
        ("u :: Unqueue(LIMIT 9) -> Queue -> ToDevice(b)", "u, which pulls from it, runs in user space"),
        ("r :: RoundRobinSched -> ToDevice(b)", "r decides which packet is next (-O 3 avoids that where it can)"),
        ("s :: PrioSched -> ToDevice(b)", "s, which pulls from it, runs in user space"),
        ("c :: Counter -> p :: TimeRange -> ToDevice(b)", "p, which pulls from it, runs in user space"),
        ("b :: Bypass -> ToDevice(b)", "b decides when to pull"),
        ("d :: Discard", "d takes packets out of it again (-O 3 avoids that where it can)"),
        ("d :: Discard(ACTIVE false)", "d decides when to pull"),
        ("p :: PullTee -> ToDevice(b); p[1] -> Strip(14) -> Queue -> ToDevice(c)", "p, which pulls from it, runs in user space"),
    ],
)
def test_a_queue_stays_where_something_decides_when_to_pull(way, why):
    text = f"FromDevice(a) -> q :: Queue -> {way};"
    assert (places(text)["q"], reason(text, "q")) == (USER, why)


def test_a_queue_stays_whose_packets_leave_by_another_output():
    text = "FromDevice(a) -> q :: Queue -> ToDevice(b); q[1] -> Discard;"
    assert (places(text)["q"], reason(text, "q")) == (USER, "packets that it has no room for leave by another output")


def test_what_is_pushed_aside_behind_an_elided_queue_goes_on_in_the_kernel():
    text = (
        "FromDevice(a) -> q :: Queue -> l :: CheckLength(60) -> p :: PullTee(3) -> t :: ToDevice(b);"
        "l[1] -> c :: Counter -> EtherMirror -> r :: Queue -> ToDevice(d);"
        "p[1] -> m :: Queue -> ToDevice(e); p[2] -> n :: Print -> Discard;"
    )
    found = places(text)
    assert [found[name] for name in "qlptcrmn"] == [ELIDED, XDP, XDP, XDP, XDP, ELIDED, ELIDED, XDP]
    assert reason(text, "p").endswith("its copies leave by b, e together")


def test_plain_elements_behind_an_elided_queue_are_in_the_kernel():
    assert places("FromDevice(a) -> q :: Queue -> c :: Counter -> t :: ToDevice(b);")["c"] == XDP


NAT = "nat :: IPRewriter(pattern 192.0.2.1 1024-65535 - - 0 1, drop); Idle -> [1] nat [1] -> Discard; nat[0] -> Discard;"


@pytest.mark.parametrize("user, where", [((), XDP), (("nat",), USER)])
def test_an_element_that_reads_the_state_of_another_is_where_that_is(user, where):
    text = NAT + "FromDevice(a) -> [0] nat; FromDevice(b) -> e :: ICMPRewriter(nat) -> c :: Counter -> Discard;"
    found = places(text, user=frozenset(user))
    assert (found["nat"], found["e"], found["c"]) == (where, where, where)


def test_the_state_of_an_element_that_no_packet_reaches_is_not_in_the_kernel():
    text = NAT + "Idle -> [0] nat; FromDevice(b) -> e :: ICMPRewriter(nat) -> Discard;"
    assert reason(text, "e") == "it reads the state of nat, which the kernel path doesn't have"
