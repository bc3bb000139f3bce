"""Names for numbers and addresses: well-known names, this machine's names, and names that a router defines.

A name belongs to a kind – "ip", "ether", "port/6", ... – and, when a router defines it, to a scope: an element `a/b/x`
defines names for the compound `a/b/` and everything within. A query starts at the scope of the element that asks and goes
outwards, then to the well-known names, then to this machine's (/etc/services, /etc/protocols, network devices), as Click's
NameInfo does. This machine's files add names; they don't change any.

An element class defines names by a method `define_names(self, names: Names)`; `names.define(kind, self.name, ...)`.
Such elements are configured before all others, in the order of the file.
"""

import socket
from collections.abc import Iterator
from functools import lru_cache
from ipaddress import IPv4Address, IPv6Address, IPv6Interface
from typing import Any

from clickbpf.args.devices import Devices
from clickbpf.args.values import Ether, Prefix
from clickbpf.args.wellknown import TRANSPORTS, WELL_KNOWN

IP, IP_PREFIX, ETHER = "ip", "ip prefix", "ether"
IP6, IP6_PREFIX = "ip6", "ip6 prefix"
PROTOCOL, ICMP_TYPE, DSCP, ANNOTATION = "protocol", "icmp type", "dscp", "annotation"


def port(protocol: int) -> str:
    """The kind of port names of an IP protocol, 6 for TCP, 17 for UDP."""
    return f"port/{protocol}"


def icmp_code(icmp_type: int) -> str:
    """The kind of ICMP code names of an ICMP type."""
    return f"icmp code/{icmp_type}"


def scopes(element: str) -> Iterator[str]:
    """The compounds around an element, innermost first: `a/b/x` gives "a/b/", "a/", ""."""
    while "/" in element:
        element = element.rpartition("/")[0]
        yield element + "/"
    yield ""


class Names:
    """The names that one router knows."""

    def __init__(self, devices: Devices | None = None):
        self._defined: dict[tuple[str, str, str], Any] = {}
        self.devices = devices or Devices()

    def define(self, kind: str, element: str, name: str, value: Any) -> None:
        """Let `name` mean `value` in the compound around `element`; a later definition replaces an earlier one."""
        self._defined[kind, next(scopes(element)), name] = value

    def query(self, kind: str, element: str, name: str) -> Any:
        """The value of `name` for `element`, or None."""
        for scope in scopes(element):
            if (kind, scope, name) in self._defined:
                return self._defined[kind, scope, name]
        known = _well_known(kind, name)
        return known if known is not None else _of_this_machine(kind, name)

    def known(self, kind: str, element: str) -> set[str]:
        """The names of a kind that `element` can use (this machine's left out): for suggestions."""
        visible = set(scopes(element))
        return {name for k, scope, name in self._defined if k == kind and scope in visible} | set(WELL_KNOWN.get(kind, {}))

    # -- addresses, whose names may have a suffix for the kind of address ---------------------------------------

    def ip(self, element: str, text: str) -> IPv4Address | None:
        """NAME, NAME:ip, NAME:ip4; NAME:bcast, NAME:gw from its prefix; a device's address where nothing else fits."""
        name, suffix = _suffix(text)
        if suffix == ":bcast":
            prefix = self.ip_prefix(element, name)
            return prefix and prefix.broadcast
        if suffix == ":gw":
            return self._gateway(element, text, name)
        if suffix not in ("", ":ip", ":ip4"):
            return None
        return self.query(IP, element, name) or self.devices.ip(name)

    def _gateway(self, element: str, text: str, name: str) -> IPv4Address | None:
        defined, prefix = self.query(IP, element, text), self.query(IP_PREFIX, element, name)
        if defined or prefix:
            return defined or prefix.first
        device = self.devices.ip_prefix(name)
        return self.devices.gateway(name) or (device and device.first)

    def ip_prefix(self, element: str, text: str) -> Prefix | None:
        """NAME, NAME:net, NAME:ipnet, NAME:ip4net, or a device's prefix."""
        name, suffix = _suffix(text)
        if suffix not in ("", ":net", ":ipnet", ":ip4net"):
            return None
        return self.query(IP_PREFIX, element, name) or self.devices.ip_prefix(name)

    def ip6(self, element: str, text: str) -> IPv6Address | None:
        """NAME, NAME:ip6, or a device's address; NAME:ip6link is the link-local address made of its Ethernet address, NAME:ip6any that of
        any router of its prefix. Between two routers alone nobody has that (RFC 6164): then it is NAME's."""
        name, suffix = _suffix(text)
        if suffix == ":ip6any":
            prefix = self.ip6_prefix(element, name)
            return prefix and (prefix.ip if prefix.network.prefixlen > 126 else prefix.network.network_address)
        if suffix == ":ip6link":
            ether = self.ether(element, name)
            return ether and link_local(ether)
        if suffix not in ("", ":ip6"):
            return None
        return self.query(IP6, element, name) or self.devices.ip6(name)

    def ip6_prefix(self, element: str, text: str) -> IPv6Interface | None:
        """NAME, NAME:net, NAME:ip6net, or a device's prefix."""
        name, suffix = _suffix(text)
        if suffix not in ("", ":net", ":ip6net"):
            return None
        return self.query(IP6_PREFIX, element, name) or self.devices.ip6_prefix(name)

    def ether(self, element: str, text: str) -> Ether | None:
        """NAME, NAME:eth, NAME:ether, NAME:ethernet, or a device's address."""
        name, suffix = _suffix(text)
        if suffix not in ("", ":eth", ":ether", ":ethernet"):
            return None
        return self.query(ETHER, element, name) or self.devices.ether(name)


def link_local(ether: Ether) -> IPv6Address:
    """The link-local address whose interface identifier is the modified EUI-64 of an Ethernet address (RFC 4291, appendix A)."""
    identifier = bytes([ether[0] ^ 2, *ether[1:3], 0xFF, 0xFE, *ether[3:6]])
    return IPv6Address(b"\xfe\x80" + bytes(6) + identifier)


def _suffix(text: str) -> tuple[str, str]:
    name, colon, suffix = text.rpartition(":")
    return (name, colon + suffix.lower()) if colon else (text, "")


def _well_known(kind: str, name: str) -> Any:
    """A name as it is looked up: protocols are called TCP as well as tcp."""
    known = WELL_KNOWN.get(kind, {})
    return known.get(name, known.get(name.lower()) if kind == PROTOCOL else None)


@lru_cache(4096)
def _of_this_machine(kind: str, name: str) -> int | None:
    """From /etc/protocols and /etc/services, which have only these kinds, and only names in plain text."""
    try:
        if kind == PROTOCOL:
            return socket.getprotobyname(name)
        if kind in _PORT_KINDS:
            return socket.getservbyname(name, _PORT_KINDS[kind])
    except (OSError, ValueError):
        pass
    return None


#: The name that /etc/services has for the protocol of a kind of ports.
_PORT_KINDS = {port(WELL_KNOWN[PROTOCOL][name]): name for name in TRANSPORTS}
