"""ForceIP: any bytes become an IP packet (RFC 791, 3.1)."""

import pytest
from scapy.utils import checksum

from clickbpf.testing.cases import Case
from clickbpf.testing.packets import Mix
from clickbpf.testing.packets.mix import weights

#: 40 bytes whose version and total length are wrong, and their fragment field, and what comes of them.
NOISE = bytes.fromhex("65ee 1111 2222 3fff 40 11 abcd 0a000002 0a000102") + bytes(range(20))


def sound(noise: bytes, header: int, fragment: bytes = b"\0\0") -> bytes:
    """The packet with everything right, its checksum by scapy."""
    fixed = bytes([0x40 | header // 4, noise[1]]) + len(noise).to_bytes(2, "big") + noise[4:6] + fragment + noise[8:10]
    return fixed + checksum(fixed + b"\0\0" + noise[12:header]).to_bytes(2, "big") + noise[12:]


def test_noise_becomes_ip(element):
    x = element("ForceIP")
    x.send(NOISE)
    seen = x.expect(0, sound(NOISE, 20))
    assert (seen.carried.network, seen.carried.transport) == (0, 20)


def test_one_fragment_in_eight_stays_one(element):
    x = element("ForceIP")
    for number in range(18):
        x.send(NOISE)
        x.expect(0, sound(NOISE, 20, NOISE[6:8] if number % 8 == 1 else b"\0\0"))


@pytest.mark.parametrize(
    "length, given, header", [(40, 0, 40), (40, 4, 40), (40, 11, 40), (40, 10, 40), (43, 15, 40), (64, 0, 60), (999, 4, 60)]
)
def test_header_lengths_that_can_not_be(element, length, given, header):
    noise = bytes([given]) + NOISE[1:] + bytes(length - len(NOISE))
    x = element("ForceIP")
    x.send(noise)
    assert x.expect(0, sound(noise, header)).carried.transport == header


CASES = [Case("ForceIP", headers="ip", mix=Mix(links=weights(ip=1, ethernet=1), large=10))]
