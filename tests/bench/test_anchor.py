"""The program written by hand does what the IP router does: else a comparison of their speed says nothing."""

import struct
from collections import Counter
from random import Random
from socket import IPPROTO_ICMP

import pytest
from tests.bench.anchor import MACS, both, sent
from tests.bench.loaded import PASS, REDIRECT

from clickbpf.testing.packets import Mix, frame
from clickbpf.testing.packets.checksum import checksum
from clickbpf.testing.packets.mix import weights

pytestmark = pytest.mark.needs("root", "clang-19")

PACKETS = 9_000
#: The router's addresses.
OWN = (b"\x0a\0\0\1", b"\x0a\0\1\1")
#: Neighbours and others, each by its device: some of them are asked for, some never.
KNOWN = [
    *((device, f"10.0.{device}.{host}", f"02:00:00:00:2{device}:{host:02x}") for device in (0, 1) for host in (0, 1, 2, 7, 254, 255)),
    *((device, f"10.0.{device}.{host}", f"02:00:00:00:2{device}:{host:02x}") for device in (0, 1) for host in range(64, 96)),
    (0, "10.0.1.3", "02:00:00:00:00:03"),
    (1, "10.9.1.3", "02:00:00:00:00:03"),
]
ADDRESSES = (
    *("10.0.0.0", "10.0.0.1", "10.0.0.2", "10.0.0.7", "10.0.0.254", "10.0.0.255"),
    *("10.0.1.0", "10.0.1.1", "10.0.1.2", "10.0.1.3", "10.0.1.254", "10.0.1.255"),
    *("0.0.0.0", "255.255.255.255", "255.255.255.254", "10.0.2.255", "10.1.1.2", "10.9.1.3", "11.0.1.2", "9.255.255.255"),
    *("224.0.0.5", "8.8.8.8", "192.168.1.255", "192.168.1.0", "127.0.0.1", "0.0.1.8"),
)
#: ARP and IPv6, which the program leaves to others.
OTHERS = (b"\x08\6", b"\x86\xdd")
#: All kinds of packets, good and bad.
MAC_TEXTS = ("02:00:00:00:00:10", "02:00:00:00:01:10", "01:00:5e:00:00:05")
ANYTHING = Mix(addresses=ADDRESSES, macs=MAC_TEXTS, contents=weights(ipv4=20, arp=1, noise=1))


def address(random: Random, device: int) -> bytes:
    often = [f"10.0.{device}.{random.randrange(64, 100)}", f"10.0.{device}.2"]
    text = random.choice([*ADDRESSES, *often * 8])
    return bytes(int(part) for part in text.split("."))


def nearly_good(random: Random, device: int) -> bytes:
    """A packet that the router would forward, but for one thing perhaps."""
    source, target = address(random, device), address(random, 1 - device)
    data = random.randbytes(random.choice([0, 8, 26, random.randrange(1400), random.randrange(1470, 1490)]))
    ttl, tos, ident = random.choice([0, 1, 2, 3, 64, 255]), random.choice([0, random.randrange(256)]), random.randrange(1 << 16)
    header = struct.pack(">BBHHHBBH4s4s", 0x45, tos, 20 + len(data), ident, random.choice([0, 0x4000, 0x2000]), ttl, 17, 0, source, target)
    if random.randrange(10) == 0:
        at = random.choice([0, 2, 3])
        header = header[:at] + bytes([random.choice([0, 15, 19, 0x46, random.randrange(256)])]) + header[at + 1 :]
    right = checksum(header)
    if random.randrange(8) == 0:
        # By the identification, which is among what it covers, any checksum at all: those round 0, where carries are.
        wanted = random.choice([0, 1, 2, 0xFFFD, 0xFFFE, 0x00FF, 0x0100, 0xFEFF, 0xFF00])
        header = header[:4] + struct.pack(">H", (ident + right - wanted) % 0xFFFF) + header[6:]
        right = random.choice([checksum(header), 0xFFFF if checksum(header) == 0 else checksum(header)])
    wrong = random.choice([0] * 12 + [1 << random.randrange(16)])
    header = header[:10] + struct.pack(">H", right ^ wrong) + header[12:]
    to = random.choice([MACS[device]] * 4 + [MACS[1 - device], b"\xff" * 6, b"\1\0\x5e\0\0\5"])
    padding = random.choice([0, 0, 0, random.randrange(46)])
    return to + b"\2\0\0\0\0\2" + random.choice([b"\x08\0"] * 12 + [b"\x88\xb5"]) + header + data + bytes(padding)


def is_error(packet: bytes, became: bytes) -> bool:
    """Whether this is an ICMP error of the router's own about a packet, which the program leaves to others. What is forwarded keeps its
    addresses and all that follows them.
    """
    return became[26:] != packet[26 : len(became)] and became[23] == IPPROTO_ICMP and became[26:30] in OWN


@pytest.mark.whole
def test_the_anchor_does_what_the_router_does():
    """What the router forwards, the program forwards, byte by byte; everything else it passes untouched. They count alike."""
    random, seen, answers = Random(1), Counter(), [0, 0]
    with both() as (router, handwritten):
        for neighbour in KNOWN:
            router.know(*neighbour)
            handwritten.know(*neighbour)
        for number in range(PACKETS):
            device = number & 1
            packet = nearly_good(random, device) if number % 3 else frame(random, ANYTHING).ljust(14, b"\0")
            if len(packet) > 3500 or packet[12:14] in OTHERS:
                continue
            verdict, became = sent(router.programs[device], packet)
            answered = verdict == REDIRECT and is_error(packet, became)
            forwarded = verdict == REDIRECT and not answered
            expected = (REDIRECT, became) if forwarded else (PASS, packet)
            assert sent(handwritten.programs[device], packet) == expected, f"packet {number} from eth{device}: {packet.hex()}"
            if answered:
                answers[MACS.index(became[6:12])] += 1
            seen["packets"] += 1
            seen[forwarded, device] += 1
            seen["cut"] += forwarded and len(became) < len(packet)
            seen["elsewhere"] += forwarded and packet[30:32] != b"\x0a\0"
        *received, sent0, sent1 = router.counts()
        assert handwritten.counts() == [*received, sent0 - answers[0], sent1 - answers[1]]
    assert seen["packets"] > 7_000
    assert all(seen[key] > 150 for key in ((True, 0), (True, 1), (False, 0), (False, 1), "cut")) and seen["elsewhere"] > 50, seen
