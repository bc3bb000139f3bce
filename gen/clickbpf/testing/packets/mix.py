"""The composition of generated traffic: weights of its kinds, and preferred addresses and ports."""

from collections.abc import Mapping
from dataclasses import field
from types import MappingProxyType

from clickbpf.frozen import frozen


def weights(**values: int) -> Mapping[str, int]:
    """Relative frequencies; the plainest kind should come first, since hypothesis shrinks towards it."""
    return MappingProxyType(values)


@frozen
class Mix:
    """The composition; a test changes what it needs: `Mix(addresses=("10.0.0.1",), links=weights(ip=1))`.

    `addresses`, `addresses6`, `macs` and `ports` are preferred, but special and arbitrary ones occur as well. Give those that the
    configuration under test treats specially.
    """

    #: ethernet: frames as on the wire; vlan: with one or two 802.1Q tags; ip: IP at offset 0; offset: IP after 1..40 arbitrary bytes.
    links: Mapping[str, int] = field(default_factory=lambda: weights(ethernet=30, vlan=2, ip=1, offset=1))
    #: Payloads of Ethernet frames.
    contents: Mapping[str, int] = field(default_factory=lambda: weights(ipv4=20, arp=4, ipv6=1, noise=2))
    #: Payloads of IP packets.
    transports: Mapping[str, int] = field(default_factory=lambda: weights(udp=4, tcp=4, icmp=4, other=1))
    addresses: tuple[str, ...] = ("10.0.0.1", "10.0.0.2", "10.0.1.1", "10.0.1.2", "18.26.4.9")
    addresses6: tuple[str, ...] = ("2001:db8::1", "2001:db8::2", "2001:db8:1::1", "2001:db8:1::2", "fe80::2")
    macs: tuple[str, ...] = ("02:00:00:00:00:01", "02:00:00:00:00:02", "02:00:00:00:01:01")
    ports: tuple[int, ...] = (53, 80, 1234, 5678)
    #: Of 100 IP headers, the number with options or extension headers; half of these are malformed.
    options: int = 20
    #: Of 100 IP headers, the number with a wrong length, checksum, version or header length.
    wrong: int = 15
    #: Of 100 IP packets, the number that end before their frame, anywhere after their header.
    trimmed: int = 10
    #: Of 100 frames, the number truncated, corrupted or extended afterwards.
    damaged: int = 20
    #: Longest payload after the transport header, in bytes.
    payload: int = 64
    #: Of 100 frames, the number with a payload of up to 1500 bytes instead.
    large: int = 3


#: Mostly IPv6, a third of it with extension headers.
IPV6 = Mix(contents=weights(ipv6=20, ipv4=1, arp=1, noise=2), options=33)
