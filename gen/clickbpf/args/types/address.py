"""Addresses: IPv4 addresses and prefixes, Ethernet addresses; all may be names (AddressInfo)."""

import re
from collections.abc import Iterable
from ipaddress import IPv4Address

from clickbpf.args import names
from clickbpf.args.context import NOWHERE, Context
from clickbpf.args.digits import whole
from clickbpf.args.error import ArgError
from clickbpf.args.types.base import Type, quoted
from clickbpf.args.types.number import written_integer
from clickbpf.args.values import Ether, Prefix, mask_of_length
from clickbpf.frozen import frozen
from clickbpf.nearest import did_you_mean

_OCTETS = re.compile(r"[0-9]+(?:\.[0-9]+){0,3}")
_ETHER = re.compile(r"[0-9A-Fa-f]{1,2}(?P<sep>[-:])[0-9A-Fa-f]{1,2}(?:(?P=sep)[0-9A-Fa-f]{1,2}){4}")


def dotted(text: str) -> bytes | None:
    """The 1 to 4 bytes of a dotted decimal, or None."""
    if not _OCTETS.fullmatch(text):
        return None
    parts = [whole(part) for part in text.split(".")]
    return bytes(parts) if max(parts) <= 255 else None


def _ip_macro(address: IPv4Address) -> str:
    return "IPV4({}, {}, {}, {})".format(*address.packed)


class IPAddress(Type):
    """An IPv4 address or its name; value ipaddress.IPv4Address, in C in network byte order."""

    described = "an IP address"
    written_in_click = "expected IP address"
    c_type = "__be32"

    def parse(self, text: str, context: Context = NOWHERE) -> IPv4Address:
        octets = dotted(text)
        if octets and len(octets) == 4:
            return IPv4Address(octets)
        found = context.names.ip(context.element, text)
        if found is None:
            raise unknown(self, text, names.IP, context)
        return found

    def c_value(self, value: IPv4Address) -> str:
        return _ip_macro(value)

    def to_field(self, value: IPv4Address) -> int:
        return int(value)

    def from_field(self, field: int) -> IPv4Address:
        return IPv4Address(field)


@frozen
class IPPrefix(Type):
    """ADDR/LEN, ADDR/MASK or a name; with `bare` also an address, which is a prefix of 32 bits; value Prefix.

    The address may leave out bytes beyond the length: 18.26.4/24.  Its host bits are kept.
    """

    bare: bool = True
    contiguous: bool = True
    c_type = "struct { __be32 addr, mask; }"

    def parse(self, text: str, context: Context = NOWHERE) -> Prefix:
        prefix = self._written(text, context) or self._bare(text, context) or context.names.ip_prefix(context.element, text)
        if prefix is None:
            if not self.bare and IPPrefix()._bare(text, context):
                raise self.wrong(text, hint=f"the length is missing, as in {text}/24")
            raise self._too_long(text) or unknown(self, text, names.IP_PREFIX, context)
        if self.contiguous and prefix.length is None:
            raise ArgError(f"the mask {prefix.mask} has holes", "ones, if any, have to come first in the mask")
        return prefix

    def _written(self, text: str, context: Context) -> Prefix | None:
        address_text, slash, mask_text = text.rpartition("/")
        if not slash:
            return None
        octets = dotted(address_text)
        if octets is None:
            address = context.names.ip(context.element, address_text)
            octets = address and address.packed
        mask = _mask(mask_text, context)
        if octets is None or mask is None or int(mask) & ((1 << (32 - 8 * len(octets))) - 1):
            return None
        return Prefix(IPv4Address(octets.ljust(4, b"\0")), mask)

    @staticmethod
    def _too_long(text: str) -> ArgError | None:
        """The mistake in a prefix whose address is right, and whose length is a number."""
        address, _, length = text.rpartition("/")
        octets = dotted(address)
        if not octets or not (length.isascii() and length.isdigit()):
            return None
        given = f"{address} has only {8 * len(octets)} of its 32 bits" if int(length[:9]) <= 32 else "the length is at most 32"
        return ArgError(f"'{text}' is not an IP prefix: {given}")

    def _bare(self, text: str, context: Context) -> Prefix | None:
        octets = dotted(text)
        if not self.bare:
            return None
        address = IPv4Address(octets) if octets and len(octets) == 4 else context.names.ip(context.element, text)
        return Prefix.of_length(address, 32) if address is not None else None

    def c_value(self, value: Prefix) -> str:
        return f"{{ {_ip_macro(value.address)}, {_ip_macro(value.mask)} }}"

    def describe(self) -> str:
        return "an IP prefix (ADDRESS/LENGTH" + (", or an address)" if self.bare else ")")


def IPPrefixNonContiguous(bare: bool = True) -> IPPrefix:
    """An IP prefix whose mask may be any bits, as Click permits everywhere."""
    return IPPrefix(bare, contiguous=False)


def _mask(text: str, context: Context) -> IPv4Address | None:
    length = written_integer(text, 10)
    if length is not None and 0 <= length <= 32:
        return mask_of_length(length)
    octets = dotted(text)
    return IPv4Address(octets) if octets and len(octets) == 4 else context.names.ip(context.element, text)


class EtherAddress(Type):
    """An Ethernet address, its bytes separated by colons or dashes, or its name; value Ether (6 bytes)."""

    described = "an Ethernet address"
    written_in_click = "expected Ethernet address"
    c_type = "__u8[6]"

    def parse(self, text: str, context: Context = NOWHERE) -> Ether:
        if match := _ETHER.fullmatch(text):
            return Ether(int(digits, 16) for digits in text.split(match["sep"]))
        found = context.names.ether(context.element, text)
        if found is None:
            raise unknown(self, text, names.ETHER, context)
        return found

    def c_value(self, value: Ether) -> str:
        return "{ " + ", ".join(f"0x{byte:02x}" for byte in value) + " }"

    def to_field(self, value: Ether) -> tuple[int, ...]:
        return tuple(value)

    def from_field(self, field: Iterable[int]) -> Ether:
        return Ether(field)


class OwnEtherAddress(EtherAddress):
    """The address of one interface, that frames are sent from: neither a group's nor zero (IEEE 802, 8.2); value Ether (6 bytes)."""

    def parse(self, text: str, context: Context = NOWHERE) -> Ether:
        value = super().parse(text, context)
        if value[0] & 1 or not any(value):
            whose = "the address of a group, which nothing is sent from" if any(value) else "nobody's address"
            raise ArgError(f"{quoted(text)} is {whose}", "one of the router's own, as in 02:00:00:00:00:01")
        return value


def unknown(wanted: Type, text: str, kind: str, context: Context) -> ArgError:
    device, colon, _ = text.partition(":")
    hint = did_you_mean(text, context.names.known(kind, context.element))
    if colon and text.endswith((":eth", ":ip", ":ip6")):
        hint = f"neither an AddressInfo nor a device of this machine is called '{device}', with such an address"
    return ArgError(f"{quoted(text)} is not {wanted.describe()}, nor the name of one", hint, in_click=wanted.wrong_in_click)
