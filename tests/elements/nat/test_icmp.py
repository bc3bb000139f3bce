"""ICMPPingRewriter and ICMPRewriter: pings (RFC 792), and errors about packets of all rewriters."""

import pytest
from scapy.layers.inet import ICMP, IP, TCP, UDP
from scapy.layers.l2 import Ether
from tests.elements.nat.packets import PEER, tcp, udp

#: What happens here is the runtime's part; that the kernel path does the same is test_equivalence.py's business.
pytestmark = pytest.mark.executors("native")

REQUEST, REPLY, EXCEEDED, UNREACHABLE = 8, 0, 11, 3


def echo(src: str, identifier: int, dst: str = PEER, kind: int = REQUEST, seq: int = 1, data: bytes = b"ping"):
    return IP(src=src, dst=dst, ttl=9) / ICMP(type=kind, id=identifier, seq=seq) / data


@pytest.fixture
def pings(element):
    return lambda pattern="pattern 2.0.0.2 - 0-65535# 0 1": element(f"ICMPPingRewriter({pattern}, drop)", 2, 2, headers="ip-checked")


def test_requests_and_replies(pings):
    x = pings()
    for seq in (0, 1, 65535):
        x.gives(echo("1.0.0.1", 10230, seq=seq), echo("2.0.0.2", 0, seq=seq))
        x.gives(echo(PEER, 0, "2.0.0.2", REPLY, seq), echo(PEER, 10230, "1.0.0.1", REPLY, seq), output=1, input=1)
    x.gives(echo("1.0.0.2", 0), echo("2.0.0.2", 1))
    x.gives(echo(PEER, 1, "2.0.0.2", REPLY), echo(PEER, 0, "1.0.0.2", REPLY), output=1)
    assert [line.rpartition(" exp")[0] for line in x.read("table").splitlines()[:2]] == [
        "(1.0.0.1, 8.8.8.8, 10230) => (2.0.0.2, 8.8.8.8, 0) [*0 1] i0",
        "(8.8.8.8, 2.0.0.2, 0) => (8.8.8.8, 1.0.0.1, 10230) [0 *1] i0",
    ]


def test_an_identifier_is_kept_if_it_is_free(pings):
    x = pings("pattern 2.0.0.2 - 0-65535 0 1")
    x.gives(echo("1.0.0.1", 10), echo("2.0.0.2", 10))
    for host in (2, 3, 4):
        x.send(echo(f"1.0.0.{host}", 10))
        assert x.expect(0).packet[ICMP].id != 10


def test_unasked_replies_and_other_messages_are_dropped(pings):
    x = pings()
    x.send(echo(PEER, 0, "2.0.0.2", REPLY))
    x.send(echo(PEER, 0, "2.0.0.2", REPLY), 1)
    x.send(IP(src="1.0.0.1", dst=PEER) / ICMP(type=13))
    x.send(udp("1.0.0.1", 1))
    x.expect_nothing()
    assert x.dropped("FILTERED") == 4


def test_the_checksum_of_nothing_but_zeros(pings):
    """A reply without data, identifier and number: the sum of its bytes is 0, and the checksum 0xffff, not 0 (RFC 1071)."""
    x = pings("pattern 2.0.0.2 - 5-9# 0 1")
    x.gives(echo("1.0.0.1", 0, seq=0, data=b""), echo("2.0.0.2", 5, seq=0, data=b""))
    seen = x.gives(echo(PEER, 5, "2.0.0.2", REPLY, 0, b""), output=1, input=1)
    assert seen.packet[ICMP].chksum == 0xFFFF


REWRITERS = {
    "IPRewriter(pattern 2.0.0.2 1024-65535# - - 0 1, drop)": ("1.0.0.1", "2.0.0.2", 1024),
    "TCPRewriter(pattern 2.0.0.2 1024-65535# - - 0 1, drop)": ("1.0.0.1", "2.0.0.2", 1024),
    "UDPRewriter(pattern 2.0.0.2 1024-65535# - - 0 1, drop)": ("1.0.0.1", "2.0.0.2", 1024),
    "IPAddrRewriter(pattern 2.0.0.2 - 0 1, drop)": ("1.0.0.1", "2.0.0.2", 30),
    "IPAddrPairRewriter(pattern 2.0.0.2 - 0 1, drop)": ("1.0.0.1", "2.0.0.2", 30),
}


def router_with_errors(rewriter: str, maps: str = "x", outputs: int = 1) -> str:
    ends = "".join(f"e[{o}] -> Unstrip(14) -> Queue -> ToDevice(e{o});" for o in range(outputs))
    return f"""
        x :: {rewriter};
        FromDevice(in0) -> Strip(14) -> CheckIPHeader -> [0] x; x[0] -> Unstrip(14) -> Queue -> ToDevice(out0);
        FromDevice(in1) -> Strip(14) -> CheckIPHeader -> [1] x; x[1] -> Unstrip(14) -> Queue -> ToDevice(out1);
        FromDevice(icmp) -> Strip(14) -> CheckIPHeader -> e :: ICMPRewriter({maps}); {ends}
    """


@pytest.mark.parametrize(
    ("rewriter", "protocol"), [(name, protocol) for name in REWRITERS for protocol in (TCP, UDP) if (name[:3], protocol) != ("TCP", UDP)]
)
def test_an_error_is_about_the_packet_as_it_was(router, rewriter, protocol):
    old, new, port = REWRITERS[rewriter]
    make = tcp if protocol is TCP else udp
    r = router(router_with_errors(rewriter))
    r.forwards("in0", Ether() / make(old, 30), "out0", Ether() / make(new, port))
    for cut in (28, None):
        quoted, original = (bytes(make(src, number))[:cut] for src, number in ((new, port), (old, 30)))
        r.send("icmp", Ether() / IP(src="7.7.7.7", dst=new) / ICMP(type=EXCEEDED) / quoted)
        r.expect("e0", Ether() / IP(src="7.7.7.7", dst=old) / ICMP(type=EXCEEDED) / original)
    # Of an answer, from a host inside: it looks as if the rewritten one had sent it.
    answer = (make(PEER, 80 if protocol is TCP else 53, dst, number) for dst, number in ((old, 30), (new, port)))
    inner, outer = (bytes(packet)[:28] for packet in answer)
    r.send("icmp", Ether() / IP(src=old, dst=PEER) / ICMP(type=UNREACHABLE, code=3) / inner)
    r.expect("e0", Ether() / IP(src=old, dst=PEER) / ICMP(type=UNREACHABLE, code=3) / outer)


def test_an_error_about_a_ping(router):
    r = router(router_with_errors("ICMPPingRewriter(pattern 2.0.0.2 - 500-600# 0 1, drop)"))
    r.forwards("in0", Ether() / echo("1.0.0.1", 10), "out0", Ether() / echo("2.0.0.2", 500))
    r.send("icmp", Ether() / IP(src="7.7.7.7", dst="2.0.0.2") / ICMP(type=UNREACHABLE) / echo("2.0.0.2", 500))
    r.expect("e0", Ether() / IP(src="7.7.7.7", dst="1.0.0.1") / ICMP(type=UNREACHABLE) / echo("1.0.0.1", 10))


def test_other_messages_leave_by_output_1(router):
    r = router(router_with_errors("IPRewriter(keep 0 1, drop)", outputs=2))
    for packet in (
        echo("7.7.7.7", 1),
        IP(src="7.7.7.7", dst="2.0.0.2") / ICMP(type=EXCEEDED) / tcp("2.0.0.2", 9),
        IP(src="7.7.7.7", dst="2.0.0.2") / ICMP(type=EXCEEDED) / b"short",
    ):
        r.forwards("icmp", Ether() / packet, "e1")
    r.send("icmp", Ether() / udp("7.7.7.7", 1))
    r.expect_nothing()


def test_port_offsets(router):
    r = router(router_with_errors("IPRewriter(keep 0 1, drop)", "x:1", outputs=3))
    r.send("in0", Ether() / tcp("1.0.0.1", 30))
    r.expect("out0")
    r.send("icmp", Ether() / IP(src="7.7.7.7", dst="1.0.0.1") / ICMP(type=EXCEEDED) / tcp("1.0.0.1", 30))
    r.expect("e2")


@pytest.mark.parametrize(
    ("maps", "message"),
    [("nobody", "nobody not an IP rewriter"), ("e", "e not an IP rewriter"), ("x:1", "x:1 port offset requires more than 1 output")],
)
def test_mistakes(refused_router, maps, message):
    assert message in refused_router(router_with_errors("IPRewriter(keep 0 1, drop)", maps))
