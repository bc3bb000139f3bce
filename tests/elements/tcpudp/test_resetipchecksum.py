"""ResetIPChecksum: the header's checksum (RFC 1071), and with L4 those of TCP (RFC 9293, 3.1) and UDP (RFC 768)."""

import pytest
from scapy.layers.inet import ICMP, IP, TCP, UDP, IPOption_NOP
from tests.elements.trials import Trial

from clickbpf.testing.cases import Case
from clickbpf.testing.packets import Mix
from clickbpf.testing.packets.mix import weights
from clickbpf.testing.reach import Reach

ADDRESSES = {"src": "10.0.0.2", "dst": "10.0.1.2"}
#: What the kernel path leaves to the runtime: options in the pseudo-header's IP header.
PUNTS = [Reach("ResetIPChecksum(true)", headers="ip-checked", mix=Mix(transports=weights(tcp=8, udp=1), large=10, options=10))]


def right(transport, length: int, **ip) -> bytes:
    """A packet with scapy's checksums."""
    return bytes(IP(**ADDRESSES, **ip) / transport / bytes(number * 7 & 0xFF for number in range(length)))


def spoilt(packet: bytes, field: int | None = None) -> bytes:
    """It with another checksum in the IP header, and at an offset from that header's end."""
    wrong = bytearray(packet)
    wrong[10:12] = b"\x12\x34"
    if field is not None:
        at = 4 * (packet[0] & 15) + field
        wrong[at : at + 2] = b"\xab\xcd"
    return bytes(wrong)


@pytest.mark.parametrize("length", [0, 1, 2, 235, 1003, 1460])
@pytest.mark.parametrize("transport, field", [(TCP(sport=1, dport=2), 16), (UDP(sport=1, dport=2), 6)], ids=["TCP", "UDP"])
def test_both_checksums(element, transport, field, length):
    x = element("ResetIPChecksum(L4 true)", headers="ip")
    packet = right(transport, length)
    x.gives(spoilt(packet, field), packet)
    x.gives(spoilt(packet, field) + b"padding", packet + b"padding")


def test_options_of_the_header(element):
    x = element("ResetIPChecksum(true)", headers="ip-checked")
    packet = right(TCP(sport=1, dport=2), 5, options=[IPOption_NOP()] * 8)
    wrong = bytearray(packet)
    wrong[28 + 16 : 28 + 18] = b"\xab\xcd"
    x.gives(bytes(wrong), packet)


def test_a_udp_checksum_is_never_zero(element):
    """Its data makes the sum all ones, whose complement is 0: it is sent as all ones (RFC 768)."""
    packet = bytearray(right(UDP(sport=1, dport=2), 2))
    checksum = int.from_bytes(packet[26:28])
    word = int.from_bytes(packet[28:30]) + checksum
    packet[28:30] = ((word & 0xFFFF) + (word >> 16)).to_bytes(2)
    packet[26:28] = b"\xff\xff"
    x = element("ResetIPChecksum(true)", headers="ip")
    x.gives(spoilt(bytes(packet), 6), bytes(packet))


TRIALS = {
    "without l4 the transport header stays": Trial("ResetIPChecksum", headers="ip")
        .gives(
            spoilt(right(TCP(sport=1, dport=2), 5), 16),
            right(TCP(sport=1, dport=2), 5)[:36] + b"\xab\xcd" + right(TCP(sport=1, dport=2), 5)[38:]
        ),
    "fragments and other protocols keep theirs": [
        Trial("ResetIPChecksum(true)", headers="ip").gives(spoilt(packet), packet)
        for packet in [right(ICMP(), 9), right(TCP(sport=1, dport=2), 9, flags="MF"), right(UDP(sport=1), 9, frag=3)]
    ],
    "bad lengths are dropped": [
        Trial("ResetIPChecksum(true)", headers="ip").drops(packet, reason="MALFORMED").reads(drops="1")
        for packet in [
            right(TCP(), 5)[:40],
            right(UDP(), 5)[:30],
            right(TCP(), 0, len=39),
            right(UDP(), 0, len=27),
            right(UDP(), 0, len=12),
            b"\x44" + right(UDP(), 0)[1:],
        ]
    ],
}

CASES = [Case("ResetIPChecksum(true)", headers="ip", mix=Mix(transports=weights(tcp=4, udp=4), large=10, options=10))]
