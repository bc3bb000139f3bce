"""ICMPPingResponder: echo replies (RFC 792; RFC 1122, 3.2.2.6)."""

import pytest
from scapy.layers.inet import ICMP, IP, TCP, IPOption_NOP
from scapy.layers.l2 import Ether

from clickbpf.testing.cases import Case
from clickbpf.testing.equivalence import Twins
from clickbpf.testing.packets import Mix
from clickbpf.testing.packets.mix import weights
from clickbpf.testing.reach import Reach

LINK = bytes(12) + b"\x08\x00"


def request(**fields) -> IP:
    return IP(**{"src": "10.0.0.2", "dst": "10.0.1.2", "id": 99, "tos": 4, **fields}) / ICMP(id=3, seq=7) / b"payload"


def reply(**fields) -> IP:
    return IP(src="10.0.1.2", dst="10.0.0.2", id=99, tos=4, ttl=255, **fields) / ICMP(type=0, id=3, seq=7) / b"payload"


@pytest.mark.parametrize("options", [0, 4, 40])
def test_a_request_becomes_its_reply(element, options):
    responder = element("ICMPPingResponder", noutputs=2, headers="ip-checked", before="Paint(7)")
    nops = [IPOption_NOP()] * options
    for ttl in (1, 64, 255):
        responder.gives(request(options=nops, ttl=ttl, flags="DF"), reply(options=nops), DST_IP=0x0A000002, PAINT=0)


def test_wrong_checksums_stay_wrong(element):
    """By as much as they were wrong: ~m + m' is added to the complement of each (RFC 1624)."""
    responder = element("ICMPPingResponder", headers="ip")
    right = IP(bytes(request(flags=0)))
    responder.send(IP(src="10.0.0.2", dst="10.0.1.2", id=99, tos=4, chksum=right.chksum - 3) / right[ICMP])
    expected = IP(bytes(reply()))
    expected.chksum -= 3
    responder.expect(0, bytes(expected))


def test_all_other_packets_leave_by_the_other_output(element):
    responder = element("ICMPPingResponder", noutputs=2, headers="ip-checked")
    others = (
        reply(),
        IP(dst="10.0.1.2") / ICMP(type=13),
        IP(dst="10.0.1.2") / TCP(),
        IP(dst="10.0.1.2", proto=1) / b"\x08\x00\xf7\xff\x00\x00\x00",
    )
    for packet in others:
        responder.passes(packet, output=1)
    alone = element("ICMPPingResponder", headers="ip-checked")
    alone.drops(others[1])
    assert alone.dropped("FILTERED") == 1


def test_packets_without_a_header_are_no_requests(element):
    responder = element("ICMPPingResponder", noutputs=2)
    responder.passes(LINK + bytes(request()), output=1)


def test_the_two_zeros_of_a_checksum(element):
    """A reply of nothing but zeros has the checksum 0xffff, one whose words add up to 0xffff has 0 (RFC 1624, 3)."""
    responder = element("ICMPPingResponder", headers="ip")
    for data, check in ((bytes(4), b"\xff\xff"), (b"\xff\xff\x00\x00", b"\x00\x00")):
        head = IP(src="10.0.0.2", dst="10.0.1.2", proto=1)
        responder.send(head / (b"\x08\x00\xf7\xff" + data))
        responder.expect(0, IP(src="10.0.1.2", dst="10.0.0.2", proto=1, ttl=255) / (b"\x00\x00" + check + data))


MIX = Mix(transports=weights(icmp=8, udp=1, other=1))
CASES = [Case("ICMPPingResponder", noutputs=2, headers="ip-in-ethernet", packets=2000, mix=MIX)]
PUNTS = [Reach("ICMPPingResponder", headers="ip-checked", packets=[Ether() / IP() / ICMP(id=0, seq=0) / bytes(8)])]


@pytest.mark.needs("root", "clang-19")
@pytest.mark.parametrize("answer", ["ICMPPingResponder", "ICMPError(10.0.0.1, unreachable)"])
def test_an_answer_is_as_old_as_it_is_and_not_as_what_it_answers(answer):
    text = f"FromDevice(a) -> Strip(14) -> CheckIPHeader -> SetTimestamp(5) -> {answer} -> StoreTimestamp(20) -> Queue -> ToDevice(b);"
    with Twins(text) as both:
        both.advance(3.25)
        (sent,) = both.send("a", LINK + bytes(request()))
    assert int.from_bytes(sent.data[20:28], "little") != 5 * 10**9
