"""Ethernet, VLAN tags and ARP around generated packets."""

import struct
from random import Random

from clickbpf.testing.packets.choice import choose, content, percent
from clickbpf.testing.packets.ipv4 import address, ipv4
from clickbpf.testing.packets.ipv6 import ipv6
from clickbpf.testing.packets.mix import Mix

ETHERTYPES = {"ipv4": 0x0800, "arp": 0x0806, "ipv6": 0x86DD}
#: The minimum length of Ethernet frames without checksum, to which shorter ones are padded.
SHORTEST = 60


def mac(random: Random, mix: Mix) -> bytes:
    """A favoured address, broadcast, an IPv4 multicast group's address, or an arbitrary unicast one."""
    kind = random.randrange(10)
    if kind < 7:
        return bytes.fromhex(random.choice(mix.macs).replace(":", ""))
    if kind == 7:
        return b"\xff" * 6
    if kind == 8:
        return b"\x01\x00\x5e" + content(random, 3)
    return bytes([random.randrange(0, 256, 2)]) + content(random, 5)


def ethernet(random: Random, mix: Mix, tags: bytes = b"") -> bytes:
    """A frame, usually padded to the minimum length."""
    kind = choose(random, mix.contents)
    body = CONTENTS[kind](random, mix)
    ethertype = ETHERTYPES[kind] if kind in ETHERTYPES else random.randrange(1 << 16)
    made = mac(random, mix) + mac(random, mix) + tags + struct.pack("!H", ethertype) + body
    if len(made) < SHORTEST and not percent(random, 30):
        filler = bytes(SHORTEST - len(made)) if random.randrange(2) == 0 else content(random, SHORTEST - len(made))
        made += filler
    return made


def vlan(random: Random, mix: Mix) -> bytes:
    """One 802.1Q tag, or an 802.1ad tag before it."""
    inner = struct.pack("!HH", 0x8100, random.randrange(1 << 16))
    outer = struct.pack("!HH", 0x88A8, random.randrange(1 << 16)) if random.randrange(3) == 2 else b""
    return ethernet(random, mix, outer + inner)


def bare_ip(random: Random, mix: Mix) -> bytes:
    return ipv4(random, mix)


def at_an_offset(random: Random, mix: Mix) -> bytes:
    return content(random, 1 + random.randrange(40)) + ipv4(random, mix)


def arp(random: Random, mix: Mix) -> bytes:
    """ARP requests and replies (RFC 826) for Ethernet and IPv4, sometimes with a wrong field."""
    fields = [1, 0x0800, 6, 4, random.choice((1, 2))]
    if percent(random, 15):
        fields[random.randrange(5)] = random.randrange(256)
    sender = mac(random, mix) + address(random, mix)
    target = (bytes(6) if fields[4] == 1 else mac(random, mix)) + address(random, mix)
    return struct.pack("!HHBBH", *fields) + sender + target


def noise(random: Random, mix: Mix) -> bytes:
    return content(random, random.randrange(mix.payload + 1))


LINKS = {"ethernet": ethernet, "vlan": vlan, "ip": bare_ip, "offset": at_an_offset}
CONTENTS = {"ipv4": ipv4, "arp": arp, "ipv6": ipv6, "noise": noise}
