"""SetTCPChecksum: over segment and pseudo-header (RFC 9293, 3.1)."""

import pytest
from scapy.layers.inet import IP, TCP, IPOption_LSRR, IPOption_NOP

from clickbpf.testing.cases import Case
from clickbpf.testing.packets import Mix
from clickbpf.testing.packets.mix import weights

MIX = Mix(transports=weights(tcp=8, udp=1), large=10, options=10)


def segment(length: int = 4, fields=None, **tcp) -> IP:
    data = bytes(number * 7 & 0xFF for number in range(length))
    return IP(**{"src": "10.0.0.2", "dst": "10.0.1.2", **(fields or {})}) / TCP(sport=1, dport=2, **tcp) / data


@pytest.mark.parametrize("length", [*range(9), 11, 235, 236, 491, 492, 493, 1003, 1004, 1460, 2047, 3333])
def test_every_length(element, length):
    x = element("SetTCPChecksum", headers="ip-checked")
    for wrong in (0, 0x1234, 0xFFFF):
        x.send(segment(length, chksum=wrong))
        x.expect(0, segment(length))


def test_padding_does_not_count(element):
    x = element("SetTCPChecksum", headers="ip")
    x.send(bytes(segment(chksum=1)) + b"padding")
    x.expect(0, bytes(segment()) + b"padding")


def test_options(element):
    x = element("SetTCPChecksum", headers="ip-checked")
    nops = {"options": [IPOption_NOP()] * 8}
    x.send(segment(fields=nops, chksum=1))
    x.expect(0, segment(fields=nops))


def test_the_pseudo_header_has_the_last_address_of_a_source_route(element):
    """RFC 1122, 4.2.3.8: as it will be when the segment has arrived."""
    x = element("SetTCPChecksum", headers="ip-checked")
    route = [IPOption_LSRR(pointer=4, routers=["10.7.7.7", "10.8.8.8"])]
    expected = segment(fields={"options": route}, chksum=IP(bytes(segment(fields={"dst": "10.8.8.8"})))[TCP].chksum)
    x.send(segment(fields={"options": route}, chksum=1))
    x.expect(0, expected)


@pytest.mark.parametrize("given, fixed", [(0, 5), (4, 5), (5, 5), (6, 6), (15, 6)])
def test_the_header_length_can_be_corrected(element, given, fixed):
    x = element("SetTCPChecksum(true)", headers="ip-checked")
    x.send(segment(dataofs=given))
    x.expect(0, segment(dataofs=fixed))
    x.send(segment(fields={"flags": "MF"}, dataofs=15))
    x.expect(0, segment(fields={"flags": "MF"}, dataofs=15))


def test_bad_lengths(element):
    x = element("SetTCPChecksum", headers="ip")
    for packet in (segment(fields={"len": 39}), segment(fields={"len": 45}), segment(fields={"len": 10}), bytes(segment())[:39]):
        x.send(packet)
    x.expect_nothing()
    assert x.dropped("MALFORMED") == 4


@pytest.mark.executors("native")
def test_the_message_names_the_class(element, capfd):
    element("SetTCPChecksum", headers="ip").send(segment(fields={"len": 39}))
    assert capfd.readouterr().err == "SetTCPChecksum: bad lengths\n"


CASES = [Case("SetTCPChecksum(true)", headers="ip", mix=MIX)]
