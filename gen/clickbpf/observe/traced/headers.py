"""The fields of a packet's headers by name: Ethernet, ARP, IPv4 (RFC 791), IPv6 (RFC 8200), TCP, UDP, ICMP."""

import socket
from collections.abc import Callable, Iterator, Mapping

from clickbpf.frozen import frozen
from clickbpf.observe.traced.events import Event

_TAGS = (0x8100, 0x88A8)
_IP, _ARP, _IP6 = 0x0800, 0x0806, 0x86DD
_ICMP, _TCP, _UDP, _ICMP6 = 1, 6, 17, 58
_PROTOCOLS = {_ICMP: "ICMP", _TCP: "TCP", _UDP: "UDP", _ICMP6: "ICMPv6", 2: "IGMP", 47: "GRE", 50: "ESP"}


@frozen
class Field:
    """A field's bytes, from `start` to `end` of the packet, and its format."""

    start: int
    end: int
    name: str
    show: Callable[[bytes], str]


def number(value: bytes) -> str:
    return str(int.from_bytes(value, "big"))


def hexadecimal(value: bytes) -> str:
    return f"0x{value.hex()}"


def ether(value: bytes) -> str:
    return value.hex(":")


def address(value: bytes) -> str:
    return socket.inet_ntop(socket.AF_INET if len(value) == 4 else socket.AF_INET6, value)


#: (offset, length, name, format).
_ETHERNET = ((0, 6, "ether dst", ether), (6, 6, "ether src", ether), (12, 2, "ether type", hexadecimal))
_IPV4 = (
    (0, 1, "ip version and header length", hexadecimal), (1, 1, "ip tos", hexadecimal), (2, 2, "ip length", number),
    (4, 2, "ip id", number), (6, 2, "ip fragment", hexadecimal), (8, 1, "ip ttl", number), (9, 1, "ip protocol", number),
    (10, 2, "ip checksum", hexadecimal), (12, 4, "ip src", address), (16, 4, "ip dst", address),
)  # fmt: skip
_IPV6 = (
    (0, 4, "ip6 class and flow", hexadecimal), (4, 2, "ip6 length", number), (6, 1, "ip6 next header", number),
    (7, 1, "ip6 hop limit", number), (8, 16, "ip6 src", address), (24, 16, "ip6 dst", address),
)  # fmt: skip
_PORTS = ((0, 2, "src port", number), (2, 2, "dst port", number))
_TRANSPORT = {
    _TCP: (*_PORTS, (4, 4, "tcp seq", number), (8, 4, "tcp ack", number), (12, 2, "tcp flags", hexadecimal),
           (14, 2, "tcp window", number), (16, 2, "tcp checksum", hexadecimal)),
    _UDP: (*_PORTS, (4, 2, "udp length", number), (6, 2, "udp checksum", hexadecimal)),
    _ICMP: ((0, 1, "icmp type", number), (1, 1, "icmp code", number), (2, 2, "icmp checksum", hexadecimal)),
    _ICMP6: ((0, 1, "icmp6 type", number), (1, 1, "icmp6 code", number), (2, 2, "icmp6 checksum", hexadecimal)),
}  # fmt: skip
_ARPS = ((6, 2, "arp operation", number), (8, 6, "arp sender", ether), (14, 4, "arp sender ip", address),
         (18, 6, "arp target", ether), (24, 4, "arp target ip", address))  # fmt: skip


def link_header(event: Event) -> tuple[int, int] | None:
    """The end of the packet's link header, and its EtherType; None if the packet doesn't begin with a link header."""
    data, network = event.bytes, event.network
    begins = event.mac == 0 or (network is not None and network >= 14) or (event.mac is None and network is None)
    if not begins or len(data) < 14 or network == 0:
        return None
    end, kind = 14, int.from_bytes(data[12:14], "big")
    while kind in _TAGS and len(data) >= end + 4:
        end, kind = end + 4, int.from_bytes(data[end + 2 : end + 4], "big")
    return end, kind


def fields(event: Event) -> list[Field]:
    """The fields that the packet has, in order."""
    return [field for field in _fields(event) if field.end <= len(event.bytes)]


def _fields(event: Event) -> Iterator[Field]:
    link = link_header(event)
    if link is not None:
        yield from _at(0, _ETHERNET)
        if link[0] > 14:
            yield Field(14, link[0], "vlan", hexadecimal)
        if link[1] == _ARP:
            yield from _at(link[0], _ARPS)
    place = link[0] if link is not None and link[1] in (_IP, _IP6) else event.network
    if place is None or not 0 <= place < len(event.bytes):
        return
    version, at = event.bytes[place] >> 4, place
    if version == 4 and len(event.bytes) >= place + 20:
        yield from _at(at, _IPV4)
        header, protocol = (event.bytes[at] & 15) * 4, event.bytes[at + 9]
        first = not int.from_bytes(event.bytes[at + 6 : at + 8], "big") & 0x1FFF
        yield from _at(at + header, _TRANSPORT.get(protocol, ())) if first else ()
    elif version == 6 and len(event.bytes) >= place + 40:
        yield from _at(at, _IPV6)
        yield from _at(at + 40, _TRANSPORT.get(event.bytes[at + 6], ()))


def _at(place: int, table) -> Iterator[Field]:
    return (Field(place + offset, place + offset + length, name, show) for offset, length, name, show in table)


def summary(event: Event) -> str:
    """The packet in one line."""
    found = _values(event)
    hops = next((f" {word} {found[name]}" for name, word in (("ip ttl", "ttl"), ("ip6 hop limit", "hop limit")) if name in found), "")
    link = [f"{found['ether src']} > {found['ether dst']}"] if "ether src" in found else []
    return ", ".join([*link, *([_flow(found) + hops] if _flow(found) else [])]) or event.bytes[:16].hex(" ")


def flow(event: Event) -> str:
    """The packet's flow in its direction, as text."""
    return _flow(_values(event)) or "other"


def _values(event: Event) -> dict[str, str]:
    return {field.name: field.show(event.bytes[field.start : field.end]) for field in fields(event)}


def _flow(found: Mapping[str, str]) -> str:
    if "ip src" in found:
        protocol = _PROTOCOLS.get(int(found["ip protocol"]), f"protocol {found['ip protocol']}")
        return f"IPv4 {found['ip src']} > {found['ip dst']} {protocol}{_ends(found)}"
    if "ip6 src" in found:
        protocol = _PROTOCOLS.get(int(found["ip6 next header"]), f"next header {found['ip6 next header']}")
        return f"IPv6 {found['ip6 src']} > {found['ip6 dst']} {protocol}{_ends(found)}"
    if "arp target ip" in found:
        operation, sender = found["arp operation"], found["arp sender ip"]
        asked, told = f"request who has {found['arp target ip']}, from {sender}", f"reply {sender} is at {found['arp sender']}"
        return "ARP " + {"1": asked, "2": told}.get(operation, f"operation {operation} from {sender}")
    return f"type {found['ether type']}" if "ether type" in found else ""


def _ends(found: Mapping[str, str]) -> str:
    if "dst port" in found:
        return f" {found['src port']} > {found['dst port']}"
    kind = found.get("icmp type") or found.get("icmp6 type")
    return f" type {kind}" if kind else ""
