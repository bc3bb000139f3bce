"""The packet generator: what is meant to be valid is valid to scapy, and everything that can go wrong occurs."""

from collections import Counter
from dataclasses import replace
from random import Random
from socket import inet_ntoa

import pytest
from hypothesis import find, settings
from hypothesis.errors import NoSuchExample
from scapy.layers.inet import ICMP, IP, TCP, UDP
from scapy.layers.inet6 import ICMPv6EchoRequest, IPv6
from scapy.layers.l2 import ARP, Ether

from clickbpf.testing.packets import Mix, frame, frames, generate
from clickbpf.testing.packets.checksum import checksum
from clickbpf.testing.packets.mix import weights

CLEAN = Mix(links=weights(ethernet=1), contents=weights(ipv4=1), options=0, wrong=0, damaged=0)
IP_ONLY = Mix(links=weights(ip=1), damaged=0)


def test_checksum_of_rfc_1071():
    """The example of RFC 1071, section 3: the words 0001 f203 f4f5 f6f7 sum to ddf2."""
    assert checksum(bytes.fromhex("0001f203f4f5f6f7")) == 0xFFFF - 0xDDF2
    assert checksum(b"\0\0") == 0xFFFF
    assert checksum(b"\xff\xff") == 0
    assert checksum(b"\x01") == checksum(b"\x01\x00")


def test_same_seed_same_frames():
    random = Random(3)
    assert generate(50, seed=3) == generate(50, seed=3) == [frame(random) for _ in range(50)]
    assert generate(60, seed=3)[:50] == generate(50, seed=3) and generate(50, seed=3, mix=CLEAN) != generate(50, seed=3)
    assert generate(50, seed=3) != generate(50, seed=4)


def test_clean_traffic_has_correct_headers():
    """Scapy computes lengths and checksums of the same packet itself."""
    for raw in generate(300, mix=CLEAN):
        packet = Ether(raw)
        ip = packet[IP]
        assert ip.version == 4 and ip.ihl == 5 and len(raw) >= 14 + ip.len
        header = IP(bytes(ip)[:20])
        del header.chksum
        assert IP(bytes(header)).chksum == ip.chksum


@pytest.mark.parametrize("name, layer", [("udp", UDP), ("tcp", TCP), ("icmp", ICMP)])
def test_most_transport_checksums_are_correct(name, layer):
    mix = Mix(links=weights(ip=1), transports=weights(**{name: 1}), options=0, wrong=0, damaged=0)
    right = 0
    for raw in generate(300, mix=mix):
        packet = IP(raw)
        if packet.frag or layer not in packet:
            continue
        sent = packet[layer].chksum
        again = packet.copy()
        del again[layer].chksum
        right += IP(bytes(again))[layer].chksum == sent
    assert right > 100


def test_every_ttl_and_every_kind_occurs():
    packets = generate(6000, mix=Mix(links=weights(ip=1), options=0, wrong=0, damaged=0))
    assert {raw[8] for raw in packets} == set(range(256))
    assert {1, 6, 17} <= {raw[9] for raw in packets}
    more_and_at = {(bool(raw[6] & 0x20), raw[6] & 0x1F != 0 or raw[7] != 0) for raw in packets}
    assert more_and_at >= {(True, False), (True, True), (False, True)}, "first, middle and last fragments"
    assert {"255.255.255.255", "224.0.0.1", "127.0.0.1", "10.0.0.1"} <= {inet_ntoa(raw[16:20]) for raw in packets}


def test_headers_lie_in_every_way():
    found = Counter()
    for raw in generate(3000, mix=IP_ONLY):
        length = (raw[0] & 15) * 4
        found["version"] += raw[0] >> 4 != 4
        found["header too short"] += length < 20
        found["header too long"] += length > len(raw)
        found["total too long"] += int.from_bytes(raw[2:4], "big") > len(raw)
        found["total too short"] += int.from_bytes(raw[2:4], "big") < length
        found["checksum"] += 20 <= length <= len(raw) and checksum(raw[:length]) != 0
        found["options"] += raw[0] >> 4 == 4 and length > 20
        found["option of length 0 or 1"] += length > 20 and len(raw) > 21 and raw[20] > 1 and raw[21] < 2
    assert all(found[kind] >= 3 for kind in found) and len(found) == 8, found


IP6_ONLY = Mix(links=weights(ethernet=1), contents=weights(ipv6=1), damaged=0)


def test_clean_ipv6_has_correct_headers():
    """Scapy computes payload lengths and checksums of the same packets itself."""
    right = Counter()
    for raw in generate(600, mix=replace(IP6_ONLY, options=0, wrong=0)):
        packet = Ether(raw)[IPv6]
        assert packet.version == 6 and len(raw) >= 54 + packet.plen
        again = IPv6(bytes(packet))
        for layer, field in ((UDP, "chksum"), (TCP, "chksum"), (ICMPv6EchoRequest, "cksum")):
            if layer in again:
                sent = getattr(again[layer], field)
                delattr(again[layer], field)
                right[layer] += getattr(IPv6(bytes(again))[layer], field) == sent
    assert right[UDP] > 25 and right[TCP] > 25 and right[ICMPv6EchoRequest] > 2, right


def chain(packet: bytes) -> list[int]:
    """Next headers of a packet, walked without mercy."""
    kinds, kind, at = [], packet[6], 40
    while kind in (0, 43, 44, 51, 60) and at + 8 <= len(packet):
        kinds.append(kind)
        length = 8 if kind == 44 else 4 * (packet[at + 1] + 2) if kind == 51 else 8 * (packet[at + 1] + 1)
        kind, at = packet[at], at + length
    return [*kinds, kind]


def test_ipv6_headers_lie_in_every_way():
    found = Counter()
    for raw in generate(4000, mix=IP6_ONLY):
        packet = raw[14:]
        length = int.from_bytes(packet[4:6], "big")
        kinds = chain(packet)
        found["version"] += packet[0] >> 4 != 6
        found["payload too long"] += 40 + length > len(packet)
        found["payload too short"] += 40 + length < len(packet) and len(packet) > 46
        found["hop limit 0 or 1"] += packet[7] < 2
        found["long chain"] += len(kinds) > 5
        for kind in (0, 43, 44, 51, 60, 58, 6, 17, 59):
            found[kind] += kind in kinds
        found["neighbour solicitation"] += kinds == [58] and packet[40] == 135
        found["multicast"] += packet[24] == 0xFF
    assert all(count >= 10 for count in found.values()) and len(found) == 16, found


def test_arp_requests_and_replies():
    mix = Mix(links=weights(ethernet=1), contents=weights(arp=1), damaged=0)
    seen = Counter(packet[ARP].op for raw in generate(200, mix=mix) if ARP in (packet := Ether(raw)))
    assert seen[1] > 50 and seen[2] > 50


def test_frames_are_cut_at_every_byte_of_the_headers():
    lengths = {len(raw) for raw in generate(8000, mix=Mix(damaged=100))}
    assert set(range(60)) <= lengths


@pytest.mark.whole
def test_hypothesis_shrinks_to_a_plain_frame():
    """Of all frames with an expired TTL a small one is found, undamaged and unpadded or padded as it should be."""
    def expired(raw):
        return len(raw) >= 34 and raw[12:15] == b"\x08\x00\x45" and raw[22] == 1

    small = find(frames(), expired, settings=settings(max_examples=2000, database=None))
    assert len(small) <= 80
    assert checksum(small[14:34]) == 0
    assert int.from_bytes(small[16:18], "big") <= len(small) - 14
    with pytest.raises(NoSuchExample):
        find(frames(), lambda raw: False, settings=settings(max_examples=10, database=None))
