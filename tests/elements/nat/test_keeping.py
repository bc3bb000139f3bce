"""How the runtime keeps rewriters' flows: which of them end, when, and how their numbers are used again."""

import pytest
from scapy.layers.inet import IP
from scapy.layers.l2 import Ether
from tests.elements.nat.packets import PEER, tcp, udp

from clickbpf.testing.router import Router

#: What needs the runtime's clock to stand still, or its memory.
pytestmark = pytest.mark.executors("native")
IP_ROUTER = """
    x :: IPRewriter({arguments});
    FromDevice(in0) -> Strip(14) -> CheckIPHeader -> [0] x; x[0] -> Unstrip(14) -> Queue -> ToDevice(out0);
    FromDevice(in1) -> Strip(14) -> CheckIPHeader -> [1] x; x[1] -> Unstrip(14) -> Queue -> ToDevice(out1);
"""


def through(router: Router, device: str, packet: IP, out: str = "out0") -> tuple[str, int, str, int]:
    """The addresses and ports with which a packet leaves."""
    router.send(device, Ether() / packet)
    seen = router.expect(out)
    return seen[IP].src, seen.sport, seen[IP].dst, seen.dport


def test_a_flow_ends_whose_replies_are_those_of_a_new_one(router):
    """As in Click (IPRewriterBase::store_flow): a reply can't belong to both flows, and the later packet is the current
    knowledge."""
    r = router(IP_ROUTER.format(arguments="pattern 1.0.0.1 1024-65535# - - 0 1, keep 0 1"))
    assert through(r, "in0", tcp("10.0.0.9", 30)) == ("1.0.0.1", 1024, PEER, 80)
    own = ("1.0.0.1", 1024, PEER, 80)
    assert through(r, "in1", tcp(*own)) == own
    assert r.read("x.table_size") == "1"
    assert "10.0.0.9" not in r.read("x.tcp_table")
    assert through(r, "in0", tcp(PEER, 80, "1.0.0.1", 1024), "out1") == (PEER, 80, "1.0.0.1", 1024)
    assert through(r, "in0", tcp("10.0.0.9", 30)) == ("1.0.0.1", 1025, PEER, 80)


def test_a_connection_that_is_reset_ends_soon_though_others_stay(router):
    """Two hours were left to it, one hour is to the other flow, so that one is looked at first; from the reset on it is 30 seconds."""
    times = "TCP_TIMEOUT 2h, TCP_NODATA_TIMEOUT 10, TCP_DONE_TIMEOUT 30, UDP_TIMEOUT 1h, REAP_INTERVAL 5"
    r = router(IP_ROUTER.format(arguments=f"keep 0 1, keep 0 1, {times}"), simtime=True)
    there, back = ("10.0.0.9", 30, PEER, 80), (PEER, 80, "10.0.0.9", 30)
    r.send("in0", Ether() / tcp(*there, data=b"x"))
    r.send("in1", Ether() / tcp(*back, data=b"y"))
    r.advance(60)
    r.send("in0", Ether() / udp("10.0.0.8", 31))
    r.advance(60)
    assert r.read("x.table_size") == "2"
    r.send("in0", Ether() / tcp(*there, flags="R"))
    r.advance(24)
    assert r.read("x.table_size") == "2"
    r.advance(12)
    assert (r.read("x.tcp_table"), r.read("x.table_size")) == ("", "1")


def test_a_flow_in_the_place_of_one_that_ended_is_not_hidden_by_later_ones(router):
    """The heap has the four UDP flows, of 100 s, and three TCP connections, of 1000 s, in the order in which they came:

             u1              The connection t2 ends. The last, u4, gets its place, and is over before t1, so it changes places with
           /    \\           t1. When u1, u2 and u3 are heard of again, u4 is the first whose time is up.
         t1      u2
        /  \\    /  \\
       t2  t3  u3   u4
    """
    times = "UDP_TIMEOUT 100, TCP_NODATA_TIMEOUT 1000, GUARANTEE 0, UDP_GUARANTEE 0, REAP_INTERVAL 1"
    r = router(IP_ROUTER.format(arguments=f"keep 0 1, pattern 1.0.0.1 1024-65535# - - 0 1, {times}"), simtime=True)
    u1, u2, u3, u4 = (udp("10.0.0.9", number) for number in range(1, 5))
    t1, t2, t3 = (tcp("10.0.0.9", number) for number in range(1, 4))
    for packet in (u1, t1, u2, t2, t3, u3, u4):
        r.send("in1" if packet is t2 else "in0", Ether() / packet)
        r.advance(1)
    r.write("x.pattern1", "keep 0 1")
    assert r.read("x.table_size") == "6"
    r.advance(40)
    for packet in (u1, u2, u3):
        r.send("in0", Ether() / packet)
    r.advance(63)
    assert ("10.0.0.9, 4, " in r.read("x.udp_table"), r.read("x.table_size")) == (False, "5")


def test_the_number_of_a_flow_that_has_ended_rests(router):
    """The kernel path may be about to read it: it is the first of 65 when another flow gets it."""
    r = router(IP_ROUTER.format(arguments="keep 0 1, keep 0 1, UDP_TIMEOUT 10, REAP_INTERVAL 1"), simtime=True)
    state = r.executor.runtime.views["x"]
    for number in range(1, 68):
        r.send("in0", Ether() / udp("10.0.0.9", number))
        assert state["vars"].highest == min(number, 65)
        r.advance(12)
        assert r.read("x.table_size") == "0"
    assert [state["flows"][place].sport[0] for place in (1, 2, 3)] == [66, 67, 3]
