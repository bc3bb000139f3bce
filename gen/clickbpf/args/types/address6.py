"""IPv6 addresses and prefixes (RFC 4291); both may be names (AddressInfo)."""

import socket
from collections.abc import Iterable
from ipaddress import AddressValueError, IPv6Address, IPv6Interface

from clickbpf.args import names
from clickbpf.args.context import NOWHERE, Context
from clickbpf.args.types.address import dotted, unknown
from clickbpf.args.types.base import Type
from clickbpf.args.types.number import written_integer
from clickbpf.frozen import frozen


def ip6_text(address: IPv6Address) -> str:
    """An address in the form of RFC 5952, as the C library writes it: IPv4 addresses within are dotted (::ffff:1.2.3.4)."""
    return socket.inet_ntop(socket.AF_INET6, address.packed)


def ip6_prefix_text(prefix: IPv6Interface) -> str:
    """A prefix in the same form."""
    return f"{ip6_text(prefix.ip)}/{prefix.network.prefixlen}"


def written_ip6(text: str) -> IPv6Address | None:
    """The address that a text in one of the forms of RFC 4291, 2.2 stands for; None for any other text, including one with a zone
    (%eth0)."""
    if "%" in text or "/" in text:
        return None
    front, colon, last = text.rpartition(":")
    if "." in last:
        found = dotted(last)
        if found is None or len(found) != 4:
            return None
        text = front + colon + found[:2].hex() + ":" + found[2:].hex()
    try:
        return IPv6Address(text)
    except AddressValueError:
        return None


def c_bytes(address: IPv6Address) -> str:
    """An address as the C initialiser of __u8[16]."""
    return "{ " + ", ".join(f"0x{byte:02x}" for byte in address.packed) + " }"


class IP6Address(Type):
    """An IPv6 address or its name; value ipaddress.IPv6Address."""

    described = "an IPv6 address"
    c_type = "__u8[16]"

    def parse(self, text: str, context: Context = NOWHERE) -> IPv6Address:
        found = written_ip6(text) or context.names.ip6(context.element, text)
        if found is None:
            raise unknown(self, text, names.IP6, context)
        return found

    def c_value(self, value: IPv6Address) -> str:
        return c_bytes(value)

    def to_field(self, value: IPv6Address) -> tuple[int, ...]:
        return tuple(value.packed)

    def from_field(self, field: Iterable[int]) -> IPv6Address:
        return IPv6Address(bytes(field))

    def unparse(self, value: IPv6Address) -> str:
        return ip6_text(value)


@frozen
class IP6Prefix(Type):
    """ADDR/LEN, ADDR/MASK or a name; with `bare` also an address, which is a prefix of 128 bits; value IPv6Interface, which
    keeps the host bits.
    """

    bare: bool = True
    c_type = "struct { __u8 addr[16], mask[16]; }"

    def parse(self, text: str, context: Context = NOWHERE) -> IPv6Interface:
        prefix = self._written(text, context) or self._bare(text, context) or context.names.ip6_prefix(context.element, text)
        if prefix is None:
            raise unknown(self, text, names.IP6_PREFIX, context)
        return prefix

    def _written(self, text: str, context: Context) -> IPv6Interface | None:
        address_text, _, mask_text = text.rpartition("/")
        address = _address(address_text, context) if address_text else None
        length = _length(mask_text, context) if address is not None else None
        return None if address is None or length is None else IPv6Interface((address, length))

    def _bare(self, text: str, context: Context) -> IPv6Interface | None:
        address = _address(text, context) if self.bare else None
        return None if address is None else IPv6Interface(address)

    def c_value(self, value: IPv6Interface) -> str:
        return f"{{ {c_bytes(value.ip)}, {c_bytes(value.netmask)} }}"

    def unparse(self, value: IPv6Interface) -> str:
        return ip6_prefix_text(value)

    def describe(self) -> str:
        return "an IPv6 prefix (ADDRESS/LENGTH" + (", or an address)" if self.bare else ")")


def _address(text: str, context: Context) -> IPv6Address | None:
    return written_ip6(text) or context.names.ip6(context.element, text)


def _length(text: str, context: Context) -> int | None:
    """The length of a prefix, by a number or by a mask without holes."""
    if (length := written_integer(text, 10)) is not None:
        return length if 0 <= length <= 128 else None
    mask = _address(text, context)
    if mask is None:
        return None
    host_bits = ~int(mask) & ((1 << 128) - 1)
    return None if host_bits & (host_bits + 1) else 128 - host_bits.bit_length()
