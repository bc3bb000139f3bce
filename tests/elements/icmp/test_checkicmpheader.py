"""CheckICMPHeader: protocol, the lengths that types want, checksum (RFC 792)."""

import pytest
from scapy.layers.inet import ICMP, IP, UDP
from scapy.packet import Raw

from clickbpf.testing.cases import Case
from clickbpf.testing.packets import Mix
from clickbpf.testing.packets.mix import weights
from clickbpf.testing.reach import Reach

MIX = Mix(transports=weights(icmp=8, udp=1), large=10, options=10, wrong=30)
BASE = IP(src="10.0.0.2", dst="10.0.1.2", proto=1)
ERRORS, TIMESTAMPS, INFORMATION = (3, 4, 5, 11, 12), (13, 14), (15, 16)


def message(icmp_type: int, length: int) -> IP:
    """An ICMP message of `length` bytes, with the right checksum."""
    head = bytes([icmp_type, 0, 0, 0, *(at & 0xFF for at in range(1, length))])[:length]
    total = sum(int.from_bytes(head[at : at + 2].ljust(2, b"\0"), "big") for at in range(0, length, 2))
    total = ~(total % 0xFFFF or 0xFFFF) & 0xFFFF
    return BASE / Raw(head[:2] + total.to_bytes(2, "big") + head[4:])


@pytest.mark.parametrize(
    "icmp_type, good, bad",
    [
        *((icmp_type, (36, 37, 100), (8, 35)) for icmp_type in ERRORS),
        *((icmp_type, (20,), (8, 19, 21)) for icmp_type in TIMESTAMPS),
        *((icmp_type, (8,), (9, 20)) for icmp_type in INFORMATION),
        *((icmp_type, (8, 9, 2000), (4, 7)) for icmp_type in (0, 8, 9, 17, 99)),
    ],
)
def test_lengths(element, icmp_type, good, bad):
    check = element("CheckICMPHeader(DETAILS true)", noutputs=2, headers="ip-checked")
    for output, lengths in enumerate((good, bad)):
        for length in lengths:
            check.passes(message(icmp_type, length), output=output)
    assert check.read("drop_details") == f"0\tnot ICMP\n{len(bad)}\tbad packet length\n0\tbad ICMP checksum\n"


def test_other_mistakes(element):
    check = element("CheckICMPHeader", headers="ip-checked")
    for packet in (BASE / ICMP(chksum=5), BASE / ICMP(chksum=0), BASE / bytes(8), IP() / UDP()):
        check.send(packet)
    check.expect_nothing()
    assert (check.dropped("BAD_CHECKSUM"), check.dropped("FILTERED"), check.read("drops")) == (3, 1, "4")


CASES = [Case("CheckICMPHeader(DETAILS true)", noutputs=2, headers="ip-checked", mix=MIX)]
PUNTS = [Reach("CheckICMPHeader(VERBOSE true)", headers="ip-checked")]


@pytest.mark.executors("native")
def test_the_first_bad_packet_is_told(element, capfd):
    """In Click's words, with the element's class."""
    x = element("CheckICMPHeader", headers="ip")
    for _ in range(2):
        x.send(IP(src="10.0.0.2", dst="10.0.1.2") / UDP())
    assert capfd.readouterr().err == "x :: CheckICMPHeader: ICMP header check failed: not ICMP\n"
