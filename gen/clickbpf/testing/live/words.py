"""A mix of packets with the addresses and ports in a configuration's arguments, which its elements treat specially."""

import re
from collections.abc import Iterable, Iterator
from contextlib import suppress
from ipaddress import IPv4Address, IPv6Address, ip_interface
from itertools import islice

from clickbpf.testing.packets import Mix
from clickbpf.testing.packets.mix import weights

#: A run of characters that may be an address of any kind.
_WORD = re.compile(r"[0-9A-Fa-f][0-9A-Fa-f.:/-]*")
_MAC = re.compile(r"[0-9A-Fa-f]{1,2}(?:[:-][0-9A-Fa-f]{1,2}){5}")
_PORT = re.compile(r"\bport\b[\s=<>!]*(?:or\s+|\(\s*)?(\d{1,5})")
#: A rewriter's pattern, `pattern SADDR SPORT DADDR DPORT`, or a pair of address and port.
_PAIR = re.compile(r"\d+\.\d+\.\d+\.\d+[\s:]+(\d{1,5})\b")
#: The most addresses or ports of each kind: with few, packets share flows.
MOST = 24
#: The length of IPv6 prefixes in which IPv4 addresses are embedded (RFC 6052).
EMBEDDING = 96
#: Hosts of each prefix.
HOSTS = 2


def mix(configuration: Iterable[str], macs: Iterable[str]) -> Mix:
    """The mix for elements' configuration strings, and these Ethernet addresses of devices."""
    words = [word for text in configuration for word in _WORD.findall(text)]
    ports = [port for text in configuration for pattern in (_PORT, _PAIR) for port in map(int, pattern.findall(text)) if 0 < port < 65536]
    addresses = list(_addresses(words))
    plain = Mix()
    four = [str(each) for each in addresses if each.version == 4] or plain.addresses
    six = [str(each) for each in addresses if each.version == 6]
    return Mix(
        contents=weights(ipv4=20, arp=3, ipv6=12 if six else 2, noise=1),
        addresses=_few(four),
        addresses6=_few(six or plain.addresses6),
        macs=_few([*macs, *(_ether(word) for word in words if _MAC.fullmatch(word))]),
        ports=_few([*ports, *plain.ports]),
    )


def _few(values: Iterable) -> tuple:
    return tuple(islice(dict.fromkeys(values), MOST))


def _ether(word: str) -> str:
    return bytes(int(each, 16) for each in re.split("[:-]", word)).hex(":")


def _addresses(words: Iterable[str]) -> Iterator[IPv4Address | IPv6Address]:
    """Single addresses, then some hosts of each network; netmasks are left out."""
    networks, four = [], []
    for word in words:
        with suppress(ValueError):
            found = ip_interface(word if "." in word or "::" in word or word.count(":") > 6 else "")
            if found.version == 4 and _is_mask(found.ip):
                continue
            if found.ip != found.network.network_address or found.network.num_addresses == 1:
                yield found.ip
                four += [found.ip] if found.version == 4 else []
            networks.append(found.network)
    for network in dict.fromkeys(networks):
        yield from islice(network.hosts(), HOSTS)
        if network.version == 4 and 2 < network.num_addresses < 1 << 24:
            yield network.broadcast_address
        if network.version == 6 and network.prefixlen == EMBEDDING:
            yield from (network[int(each)] for each in four)


def _is_mask(address: IPv4Address) -> bool:
    inverse = ~int(address) & 0xFFFFFFFF
    return int(address) == 0 or (int(address) >> 24 == 255 and inverse & (inverse + 1) == 0)
