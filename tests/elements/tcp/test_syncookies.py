"""SYNCookies: SYNs are answered on all executors, and only who hears the answer gets a connection, of elements or none."""

import pytest
from scapy.layers.inet import IP, TCP
from scapy.layers.l2 import Ether
from tests.elements.tcp.line import FarEnd, segments

from clickbpf.testing.cases import Case
from clickbpf.testing.packets import Mix
from clickbpf.testing.packets.mix import weights

CASES = [Case("SYNCookies(80, 53)", noutputs=2, headers="ip", mix=Mix(transports=weights(tcp=8, udp=1), large=10))]
PLACED = "syncookies.c: return answered ? OUTPUT(1) : PUNT;"
UNREACHED = {"SYNCookies": {PLACED: "an answer is as long as the shortest SYN with an option; others have room in front"}}


def test_a_syn_is_answered_and_all_else_passes(element):
    x = element("SYNCookies(80)", noutputs=2, headers="ip-checked")
    syn = IP(src="10.0.0.2", dst="10.0.1.2") / TCP(sport=5, dport=80, seq=9, options=[("MSS", 1460), ("SAckOK", b"")])
    x.send(syn)
    seen = IP(x.expect(1).data)[TCP]
    tcp = TCP(sport=80, dport=5, seq=seen.seq, ack=10, flags="SA", window=65535, options=[("MSS", 1460)])
    assert bytes(seen) == bytes(IP(bytes(IP(src="10.0.1.2", dst="10.0.0.2") / tcp))[TCP])
    for other in (IP() / TCP(dport=81), *(IP() / TCP(dport=80, flags=flags) for flags in ("A", "SA", "R", "SF"))):
        x.passes(other)


@pytest.mark.parametrize(
    "options, size",
    [
        ([("MSS", 1460)], 3),
        ([("SAckOK", b""), ("Timestamp", (1, 0)), ("NOP", None), ("WScale", 7), ("MSS", 1440)], 2),
        ([("NOP", None)] * 36 + [("MSS", 1300)], 1),
        ([("WScale", 7), ("EOL", None), ("MSS", 1460)], 0),
        ([(254, b"x" * 34), ("MSS", 1460)], 3),
        ([("WScale", 7)], 0),
    ],
    ids=["first", "last", "after no operations", "after the end", "after one that is unknown", "in none"],
)
def test_the_segment_size_may_be_any_option(element, options, size):
    """RFC 9293, 3.1. The answer's number has it in its last bits (SYNCookies' manual page)."""
    x = element("SYNCookies(80)", noutputs=2, headers="ip-checked")
    syn = IP(src="10.0.0.2", dst="10.0.1.2") / TCP(sport=5, dport=80, seq=9, options=options)
    x.send(syn)
    assert IP(x.expect(1).data)[TCP].seq & 3 == size


@pytest.fixture
def far():
    cookies = {"listens": ", 7, COOKIES cookies", "before": "cookies :: SYNCookies(7) ->", "after": "cookies[1] -> EtherMirror -> out;"}
    router = segments("10", **cookies)
    yield FarEnd(router)
    router.close()


def test_a_flood_takes_no_place(far):
    # Also of SYNs that offer ECN (RFC 3168, 6.1.1). Those with a FIN aren't answered.
    for port in range(1000, 1100):
        far.router.inject("in0", bytes(Ether() / far.ip / TCP(sport=port, dport=7, seq=port, flags=("S", "SEC", "SF", "SFU")[port % 4])))
    assert len(far.router.collect("out0")) == 50
    assert far.router.handlers.read("tcp", "table") == ""
    far.connect(options=[("MSS", 1400)])
    assert "ESTABLISHED" in far.read("table")
    (answer,) = far.send("PA", b"hello")
    assert bytes(answer.payload) == b"hello"


@pytest.mark.parametrize("off", [1, 2, 4, -1, 1 << 31])
def test_a_guess_is_reset(far, off):
    (answer,) = far.send("S")
    (reset,) = far.send("PA", b"data", seq=far.seq + 1, ack=answer.seq + 1 + off)
    assert (reset.flags, far.read("table")) == ("R", "")


def test_the_first_data_may_come_with_the_acknowledgement_or_without_it(far):
    """The acknowledgement may be lost; a number from long ago is none."""
    (answer,) = far.send("S", options=[("MSS", 1300)])
    far.seq, far.ack = far.seq + 1, answer.seq + 1
    (echoed,) = far.send("PA", b"first")
    assert (bytes(echoed.payload), echoed.ack) == (b"first", far.seq + 5)
    far.hears_all = True
    (late,) = far.send("S", sport=77)
    far.wait(200)
    (reset,) = far.send("A", sport=77, ack=late.seq + 1)
    assert reset.flags == "R"
