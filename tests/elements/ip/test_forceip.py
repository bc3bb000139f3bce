"""ForceIP: any bytes become an IP packet (RFC 791, 3.1)."""

from scapy.utils import checksum
from tests.elements.trials import Trial

from clickbpf.testing.cases import Case
from clickbpf.testing.packets import Mix
from clickbpf.testing.packets.mix import weights

#: 40 bytes whose version and total length are wrong, and their fragment field, and what comes of them.
NOISE = bytes.fromhex("65ee 1111 2222 3fff 40 11 abcd 0a000002 0a000102") + bytes(range(20))


def sound(noise: bytes, header: int, fragment: bytes = b"\0\0") -> bytes:
    """The packet with everything right, its checksum by scapy."""
    fixed = bytes([0x40 | header // 4, noise[1]]) + len(noise).to_bytes(2, "big") + noise[4:6] + fragment + noise[8:10]
    return fixed + checksum(fixed + b"\0\0" + noise[12:header]).to_bytes(2, "big") + noise[12:]


TRIALS = {
    "noise becomes ip": Trial("ForceIP").gives(NOISE, sound(NOISE, 20), network=0, transport=20),
    "one fragment in eight stays one": Trial("ForceIP")
        .each((NOISE, sound(NOISE, 20, NOISE[6:8] if number % 8 == 1 else b"\0\0")) for number in range(18)),
    "header lengths that can not be": [
        Trial("ForceIP")
            .gives(
                (bytes([given]) + NOISE[1:] + bytes(length - len(NOISE))),
                sound((bytes([given]) + NOISE[1:] + bytes(length - len(NOISE))), header), transport=header
            )
        for length, given, header in [(40, 0, 40), (40, 4, 40), (40, 11, 40), (40, 10, 40), (43, 15, 40), (64, 0, 60), (999, 4, 60)]
    ],
}

CASES = [Case("ForceIP", headers="ip", mix=Mix(links=weights(ip=1, ethernet=1), large=10))]
