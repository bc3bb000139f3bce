"""SetTCPChecksum: over segment and pseudo-header (RFC 9293, 3.1)."""

import pytest
from scapy.layers.inet import IP, TCP, IPOption_LSRR, IPOption_NOP
from tests.elements.trials import Trial

from clickbpf.testing.cases import Case
from clickbpf.testing.packets import Mix
from clickbpf.testing.packets.mix import weights

MIX = Mix(transports=weights(tcp=8, udp=1), large=10, options=10)


def segment(length: int = 4, fields=None, **tcp) -> IP:
    data = bytes(number * 7 & 0xFF for number in range(length))
    return IP(**{"src": "10.0.0.2", "dst": "10.0.1.2", **(fields or {})}) / TCP(sport=1, dport=2, **tcp) / data


def test_the_pseudo_header_has_the_last_address_of_a_source_route(element):
    """RFC 1122, 4.2.3.8: as it will be when the segment has arrived."""
    x = element("SetTCPChecksum", headers="ip-checked")
    route = [IPOption_LSRR(pointer=4, routers=["10.7.7.7", "10.8.8.8"])]
    expected = segment(fields={"options": route}, chksum=IP(bytes(segment(fields={"dst": "10.8.8.8"})))[TCP].chksum)
    x.gives(segment(fields={"options": route}, chksum=1), expected)


@pytest.mark.executors("native")
def test_the_message_names_the_class(element, capfd):
    element("SetTCPChecksum", headers="ip").send(segment(fields={"len": 39}))
    assert capfd.readouterr().err == "SetTCPChecksum: bad lengths\n"


TRIALS = {
    "every length": [
        Trial("SetTCPChecksum", headers="ip-checked")
            .each((segment(length, chksum=wrong), segment(length)) for wrong in (0, 0x1234, 0xFFFF))
        for length in [*range(9), 11, 235, 236, 491, 492, 493, 1003, 1004, 1460, 2047, 3333]
    ],
    "padding does not count": Trial("SetTCPChecksum", headers="ip")
        .gives(bytes(segment(chksum=1)) + b"padding", bytes(segment()) + b"padding"),
    "options": Trial("SetTCPChecksum", headers="ip-checked")
        .gives(segment(fields={"options": [IPOption_NOP()] * 8}, chksum=1), segment(fields={"options": [IPOption_NOP()] * 8})),
    "the header length can be corrected": [
        Trial("SetTCPChecksum(true)", headers="ip-checked")
            .gives(segment(dataofs=given), segment(dataofs=fixed)).passes(segment(fields={"flags": "MF"}, dataofs=15))
        for given, fixed in [(0, 5), (4, 5), (5, 5), (6, 6), (15, 6)]
    ],
    "bad lengths": Trial("SetTCPChecksum", headers="ip")
        .drops(
            *(segment(fields={"len": 39}), segment(fields={"len": 45}), segment(fields={"len": 10}), bytes(segment())[:39]),
            reason="MALFORMED"
        ),
}

CASES = [Case("SetTCPChecksum(true)", headers="ip", mix=MIX)]
