"""IP6FlowFilter: who may come in, for how long, and what of it the kernel path knows (RFC 6092, 3.1 to 3.3)."""

import pytest
from scapy.layers.inet import TCP, UDP
from scapy.layers.inet6 import (
    ICMPv6DestUnreach,
    ICMPv6EchoReply,
    ICMPv6EchoRequest,
    ICMPv6ND_NS,
    ICMPv6PacketTooBig,
    ICMPv6TimeExceeded,
    IPv6,
    IPv6ExtHdrDestOpt,
    IPv6ExtHdrFragment,
)
from scapy.layers.l2 import Ether
from scapy.layers.sctp import SCTP
from scapy.packet import Raw
from tests.elements.swapped import runtime, verdicts_while_state_moves

from clickbpf.testing.equivalence import assert_equivalent
from clickbpf.testing.executors import start
from clickbpf.testing.executors.bpf import DROPPED, HANDED, SENT
from clickbpf.testing.packets import IPV6

HOST, OTHER, SERVER, STRANGER = "2001:db8:1::2", "2001:db8:1::3", "2001:db8:9::80", "2001:db8:9::81"
OUT, IN, REFUSED = range(3)


@pytest.fixture
def filter_(element):
    """A filter whose clock goes on only when the test says so."""

    def make(text="IP6FlowFilter", outputs=3):
        made = element(text, ninputs=2, noutputs=outputs, headers="ip6", simtime=True)

        def leaves(packet, output):
            made.passes(packet, output=output, input=0 if packet.src in (HOST, OTHER) else 1)

        made.leaves = leaves
        return made

    return make


def out(layer, src=HOST, dst=SERVER):
    return IPv6(src=src, dst=dst) / layer


def back(layer, src=SERVER, dst=HOST):
    return IPv6(src=src, dst=dst) / layer


ASKED = [
    (UDP(sport=1000, dport=53), UDP(sport=53, dport=1000), UDP(sport=54, dport=1000), UDP(sport=53, dport=1001)),
    (TCP(sport=1000, dport=80), TCP(sport=80, dport=1000), TCP(sport=81, dport=1000), UDP(sport=80, dport=1000)),
    (SCTP(sport=1000, dport=80), SCTP(sport=80, dport=1000), SCTP(sport=1000, dport=80), TCP(sport=80, dport=1000)),
    (ICMPv6EchoRequest(id=7), ICMPv6EchoReply(id=7), ICMPv6EchoReply(id=8), ICMPv6EchoRequest(id=7)),
]


@pytest.mark.parametrize("request_, answer, other, another", ASKED)
@pytest.mark.parametrize("chain", [None, IPv6ExtHdrDestOpt()])
def test_what_was_asked_for_comes_in(filter_, request_, answer, other, another, chain):
    f = filter_()
    f.leaves(back(answer), REFUSED)
    f.leaves(out(chain / request_ if chain else request_), OUT)
    f.leaves(back(answer), IN)
    f.leaves(back(other), REFUSED)
    f.leaves(back(another), REFUSED)
    f.leaves(back(answer, src=STRANGER), REFUSED)
    f.leaves(back(answer, dst=OTHER), REFUSED)
    f.leaves(back(IPv6ExtHdrDestOpt() / answer), IN)
    assert (f.read("flows"), f.read("refused")) == ("1", "5")


def test_other_protocols_go_by_addresses(filter_):
    f = filter_()
    f.leaves(IPv6(src=HOST, dst=SERVER, nh=50) / b"esp", OUT)
    f.leaves(IPv6(src=SERVER, dst=HOST, nh=50) / b"esp", IN)
    f.leaves(IPv6(src=SERVER, dst=HOST, nh=47) / b"gre", REFUSED)
    f.leaves(IPv6(src=STRANGER, dst=HOST, nh=50) / b"esp", REFUSED)


@pytest.mark.parametrize(
    "layer",
    [
        IPv6ExtHdrFragment(nh=17, offset=1) / b"later fragment",
        TCP(sport=1, dport=2, flags="R"),
        ICMPv6EchoReply(id=1),
        ICMPv6ND_NS(),
        IPv6ExtHdrDestOpt(nh=17) / Raw(b"\0\1"),
    ],
)
def test_what_has_no_flow_goes_out_and_begins_none(filter_, layer):
    f = filter_()
    f.leaves(out(layer), OUT)
    assert f.read("flows") == "0"
    f.leaves(back(layer), REFUSED)


def error(kind, src=HOST, dst=SERVER, to=None, chain=None, layer=UDP(sport=1000, dport=53)):
    quoted = IPv6(src=src, dst=dst) / chain / layer if chain else IPv6(src=src, dst=dst) / layer
    return IPv6(src=STRANGER, dst=to or src) / kind / bytes(quoted)


@pytest.mark.parametrize("kind", [ICMPv6DestUnreach(), ICMPv6PacketTooBig(mtu=1280), ICMPv6TimeExceeded()])
@pytest.mark.parametrize("chain", [None, IPv6ExtHdrDestOpt(), IPv6ExtHdrFragment(nh=17, m=1)])
def test_errors_about_flows_come_in(filter_, kind, chain):
    """From any router on the way (RFC 6092, 3.2.1 and 3.3.1), but only to who has sent the packet."""
    f = filter_()
    f.leaves(error(kind, chain=chain), REFUSED)
    f.leaves(out(UDP(sport=1000, dport=53)), OUT)
    f.leaves(error(kind, chain=chain), IN)
    f.leaves(error(kind, to=OTHER, chain=chain), REFUSED)
    f.leaves(error(kind, layer=UDP(sport=1000, dport=54), chain=chain), REFUSED)
    f.leaves(error(kind, src=SERVER, dst=HOST, to=HOST, layer=UDP(sport=53, dport=1000)), REFUSED)
    f.leaves(error(kind, chain=IPv6ExtHdrFragment(nh=17, offset=1)), REFUSED)
    # Errors that go out are of no flow, and keep none alive.
    f.leaves(IPv6(src=HOST, dst=SERVER) / kind / bytes(back(UDP(sport=9, dport=9))), OUT)
    assert f.read("flows") == "1"


def test_errors_keep_no_flow_alive(filter_):
    """Anybody on the way can send them: who does must not hold a flow open that host and server have left."""
    f = filter_("IP6FlowFilter(TIMEOUT 300)")
    f.leaves(out(UDP(sport=1000, dport=53)), OUT)
    f.router.advance(299)
    f.leaves(error(ICMPv6PacketTooBig(mtu=1280)), IN)
    f.router.advance(5)
    assert f.read("flows") == "0"
    f.leaves(error(ICMPv6PacketTooBig(mtu=1280)), REFUSED)
    f.leaves(back(UDP(sport=53, dport=1000)), REFUSED)


def test_without_an_output_for_them_packets_are_dropped(filter_):
    f = filter_(outputs=2)
    f.send(back(UDP()), input=1)
    f.expect_nothing()
    assert f.dropped("FILTERED") == 1 and f.read("refused") == "1"


def test_flows_are_forgotten(filter_):
    f = filter_("IP6FlowFilter(TIMEOUT 300)")
    request, answer = out(UDP(sport=1, dport=2)), back(UDP(sport=2, dport=1))
    f.leaves(request, OUT)
    for _ in range(3):
        f.router.advance(299)
        f.leaves(answer, IN)
    f.router.advance(304)
    assert f.read("flows") == "0"
    f.leaves(answer, REFUSED)
    f.leaves(request, OUT)
    f.leaves(answer, IN)


def segment(flags, outwards=True):
    return out(TCP(sport=1, dport=2, flags=flags)) if outwards else back(TCP(sport=2, dport=1, flags=flags))


def test_a_connection_is_remembered_for_two_hours_when_it_is_open(filter_):
    """RFC 6092, 3.3.1: no less than 2 hours and 4 minutes; and 4 minutes before and after."""
    f = filter_()
    f.leaves(segment("S"), OUT)
    f.router.advance(244)
    f.leaves(segment("SA", outwards=False), REFUSED)
    f.leaves(segment("S"), OUT)
    f.router.advance(238)
    f.leaves(segment("SA", outwards=False), IN)
    f.router.advance(7438)
    f.leaves(segment("A", outwards=False), IN)
    f.router.advance(7444)
    f.leaves(segment("A", outwards=False), REFUSED)


@pytest.mark.parametrize("flags", ["FA", "R"])
@pytest.mark.parametrize("outwards", [True, False])
def test_who_ends_a_connection_has_four_minutes_more(filter_, flags, outwards):
    f = filter_()
    f.leaves(segment("S"), OUT)
    f.leaves(segment("SA", outwards=False), IN)
    f.leaves(segment(flags, outwards), OUT if outwards else IN)
    f.router.advance(238)
    f.leaves(segment("A", outwards=False), IN)
    f.router.advance(244)
    f.leaves(segment("A", outwards=False), REFUSED)
    # A connection between the same ports is a new one.
    f.leaves(segment("S"), OUT)
    f.leaves(segment(flags, outwards), OUT if outwards else IN)
    f.leaves(segment("S"), OUT)
    f.leaves(segment("SA", outwards=False), IN)
    f.router.advance(7000)
    f.leaves(segment("A", outwards=False), IN)


def test_the_table_is_bounded_and_keeps_what_lives_longest(filter_):
    """Two places of eight: an open connection stays, whatever else begins."""
    f = filter_("IP6FlowFilter(CAPACITY 8)")
    f.leaves(segment("S"), OUT)
    f.leaves(segment("SA", outwards=False), IN)
    for number in range(200):
        f.leaves(out(UDP(sport=1000 + number, dport=53)), OUT)
    f.leaves(segment("A", outwards=False), IN)
    assert int(f.read("flows")) <= 16
    assert int(f.read("evicted")) == 201 - int(f.read("flows"))
    # The newest of each place are there.
    f.leaves(back(UDP(sport=53, dport=1199)), IN)


def begin(f, ports, src=HOST):
    """How many of the flows from these ports are remembered."""
    for port in ports:
        f.leaves(out(UDP(sport=port, dport=53), src), OUT)
    answers = [back(UDP(sport=53, dport=port), dst=src) for port in ports]
    for answer in answers:
        f.send(answer, input=1)
    return sum(f.expect(f._waiting[0][0].input).carried.input == IN for _ in answers)


@pytest.mark.parametrize("prefix, others", [("", 0), (", HOST_PREFIX 128", 3), (", HOST_PREFIX 127", 0)])
def test_a_host_has_its_share(filter_, prefix, others):
    """Both hosts have the same 127 bits. What is beyond goes out, and nothing comes in for it."""
    f = filter_(f"IP6FlowFilter(HOST_CAPACITY 3{prefix})")
    assert begin(f, range(1, 6)) == 3
    assert f.read("beyond") == "2"
    assert begin(f, range(1, 6), OTHER) == others
    assert begin(f, range(1, 4)) == 3, "they were there already"
    assert f.read("flows") == str(3 + others)


def test_a_share_is_free_again_when_flows_end(filter_):
    f = filter_("IP6FlowFilter(CAPACITY 8, HOST_CAPACITY 3, TIMEOUT 300)")
    assert begin(f, range(1, 6)) == 3
    f.router.advance(200)
    assert begin(f, [1]) == 1
    f.router.advance(200)
    assert begin(f, range(10, 20)) == 2
    assert begin(f, [1]) == 1


def test_who_makes_room_counts_no_more(filter_):
    """The table has two places of eight: nobody has 17 flows in it, however many he begins."""
    f = filter_("IP6FlowFilter(CAPACITY 8, HOST_CAPACITY 17)")
    begin(f, range(1, 101))
    assert f.read("beyond") == "0" and int(f.read("flows")) <= 16


ROUTER = """
f :: IP6FlowFilter({});
FromDevice(inside) -> Strip(14) -> CheckIP6Header -> [0] f [0] -> Queue -> ToDevice(outside);
FromDevice(outside) -> Strip(14) -> CheckIP6Header -> [1] f [1] -> Queue -> ToDevice(inside);
"""


def frame(packet):
    return bytes(Ether(dst="02:00:00:00:00:01", type=0x86DD) / packet / bytes(20))


@pytest.mark.needs("root", "clang-19")
@pytest.mark.parametrize("hook", ["bpf", "tc"])
def test_the_kernel_keeps_known_flows_and_drops_strangers(hook):
    request, answer = out(UDP(sport=1, dport=2)), back(UDP(sport=2, dport=1))
    with start(ROUTER.format(""), hook) as router:
        assert router.run("outside", frame(answer))[0] == DROPPED
        assert router.run("inside", frame(request))[0] == HANDED
        router.send("inside", frame(request))
        assert router.run("inside", frame(request))[0] == SENT
        assert router.run("outside", frame(answer))[0] == SENT
        assert router.run("outside", frame(error(ICMPv6TimeExceeded(), layer=UDP(sport=1, dport=2))))[0] == SENT
        assert router.run("outside", frame(back(UDP(sport=3, dport=1))))[0] == DROPPED


@pytest.mark.needs("root", "clang-19")
@pytest.mark.parametrize("port, after", [(1, SENT), (3, DROPPED)])
def test_answers_that_come_while_flows_move_are_no_strangers(monkeypatch, port, after):
    old, answer = runtime(ROUTER.format("")), back(UDP(sport=2, dport=port))
    old.inject("inside", frame(out(UDP(sport=1, dport=2))))
    found = verdicts_while_state_moves(monkeypatch, old, ROUTER.format(""), "f", "outside", frame(answer))
    assert found == (HANDED, after)


@pytest.mark.parametrize("capacity", ["", "CAPACITY 1000", "CAPACITY 100000"])
def test_another_filter_takes_the_flows_over(capacity):
    router = runtime(ROUTER.format(""))
    for number in range(100):
        router.inject("inside", frame(out(UDP(sport=number, dport=2))))
    router = runtime(ROUTER.format(capacity), router)
    assert router.handlers.read("f", "flows") == "100"
    for number in range(101):
        router.inject("outside", frame(back(UDP(sport=2, dport=number))))
    assert len(router.collect("inside")) == 100
    assert router.handlers.read("f", "refused") == "1"
    router.close()


@pytest.mark.parametrize("before, after, there", [("HOST_CAPACITY 5", "HOST_CAPACITY 8", 8), ("", "HOST_CAPACITY 8", 13)])
@pytest.mark.parametrize("capacity", ["", ", CAPACITY 100000"])
def test_another_filter_counts_the_shares(before, after, there, capacity):
    """But not flows that weren't counted when they began."""
    router = runtime(ROUTER.format(before))
    for number in range(5):
        router.inject("inside", frame(out(UDP(sport=number, dport=2))))
    router = runtime(ROUTER.format(after + capacity), router)
    for number in range(20, 40):
        router.inject("inside", frame(out(UDP(sport=number, dport=2))))
    assert router.handlers.read("f", "flows") == str(there)
    router.close()


def test_executors_agree():
    """Of packets at random some answer others, as they come in on both sides."""
    ends = "f[0] -> Queue -> ToDevice(a); f[1] -> Queue -> ToDevice(b); f[2] -> Queue -> ToDevice(c);"
    both = "FromDevice(in) -> Strip(14) -> CheckIP6Header -> s :: RoundRobinSwitch; s[0] -> [0] f; s[1] -> IP6Mirror -> [1] f;"
    assert_equivalent(f"f :: IP6FlowFilter; {both} {ends}", 3000, mix=IPV6)
    # Each packet that finds its host's share used up looks at all of so small a table: which flows are freed doesn't depend on the keys.
    assert_equivalent(f"f :: IP6FlowFilter(CAPACITY 256, HOST_CAPACITY 2); {both} {ends}", 300, mix=IPV6)
