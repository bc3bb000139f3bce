"""SetUDPChecksum: over datagram and pseudo-header (RFC 768)."""

import pytest
from scapy.layers.inet import IP, UDP, IPOption_NOP

from clickbpf.testing.cases import Case
from clickbpf.testing.packets import Mix
from clickbpf.testing.packets.mix import weights

MIX = Mix(transports=weights(udp=8, tcp=1), large=10, options=10)


def datagram(length: int = 4, fields=None, **udp) -> IP:
    data = bytes(number * 11 & 0xFF for number in range(length))
    return IP(**{"src": "10.0.0.2", "dst": "10.0.1.2", **(fields or {})}) / UDP(sport=1, dport=2, **udp) / data


@pytest.mark.parametrize("length", [*range(9), 503, 504, 505, 1472, 3400])
@pytest.mark.parametrize("options", [0, 4])
def test_every_length(element, length, options):
    x = element("SetUDPChecksum", noutputs=2, headers="ip-checked")
    fields = {"options": [IPOption_NOP()] * options}
    for wrong in (0, 0x1234, 0xFFFF):
        x.gives(datagram(length, fields, chksum=wrong), datagram(length, fields))


def test_the_udp_length_counts(element):
    x = element("SetUDPChecksum", headers="ip")
    x.gives(bytes(datagram(chksum=1)) + b"padding", bytes(datagram()) + b"padding")


@pytest.mark.parametrize(
    "packet",
    [datagram(fields={"flags": "MF"}), datagram(fields={"frag": 1}), datagram(len=13), bytes(datagram())[:27]],
    ids=("first fragment", "later fragment", "longer than its packet", "cut"),
)
def test_what_is_no_whole_datagram(element, packet):
    x = element("SetUDPChecksum", noutputs=2, headers="ip")
    x.passes(packet, output=1)
    alone = element("SetUDPChecksum", headers="ip")
    alone.drops(packet)
    assert alone.dropped("MALFORMED") == 1


@pytest.mark.executors("native")
def test_the_first_fragment_is_told(element, capfd):
    """In Click's words, with the element's class."""
    x = element("SetUDPChecksum", headers="ip")
    for _ in range(2):
        x.send(datagram(fields={"flags": "MF"}))
    assert capfd.readouterr().err == "x :: SetUDPChecksum: fragment or short packet\n"


CASES = [Case("SetUDPChecksum", noutputs=2, headers="ip", mix=MIX)]
