"""Addresses of this machine's network devices, for names like `eth0`, `eth0:ip` and `eth0:gw`."""

from collections.abc import Callable, Mapping, Sequence
from functools import cached_property
from ipaddress import IPv4Address, IPv6Address, IPv6Interface
from socket import AF_INET, AF_INET6, if_nameindex
from types import MappingProxyType
from typing import Self, TypeVar

from clickbpf.args.values import Ether, Prefix

#: ARPHRD_ETHER, the link type whose addresses are Ethernet's.
_ETHERNET = 1
#: RT_SCOPE_UNIVERSE, the scope of addresses that are valid beyond their link.
_GLOBAL = 0

Value = TypeVar("Value")


class Devices:
    """Asks the kernel once, when the first name turns out to be a device's; if the kernel can't be asked, there are no devices.

    Many arguments that are looked up here aren't names of devices, and finding that out takes a hundredth of the time of asking.
    `standing_in` maps the configuration's names of devices to the devices that are used for them.
    """

    def __init__(self, standing_in: Mapping[str, str] = MappingProxyType({})):
        self._standing_in = standing_in

    def now(self) -> Self:
        """The same devices, as they are now."""
        return type(self)(self._standing_in)

    def prefixes(self, device: str, version: int) -> Sequence[Prefix | IPv6Interface]:
        """The device's addresses of a family with their masks; of IPv6 those that are global first."""
        return self._of(device, lambda: self._prefixes if version == 4 else self._prefixes6) or ()

    def ip(self, device: str) -> IPv4Address | None:
        """The device's first IPv4 address."""
        prefix = self.ip_prefix(device)
        return prefix and prefix.address

    def ip_prefix(self, device: str) -> Prefix | None:
        """The device's first IPv4 address, with its mask."""
        return next(iter(self.prefixes(device, 4)), None)

    def ip6(self, device: str) -> IPv6Address | None:
        """The device's first global IPv6 address; if it has none, its first address."""
        prefix = self.ip6_prefix(device)
        return prefix and prefix.ip

    def ip6_prefix(self, device: str) -> IPv6Interface | None:
        """The same address with its prefix length."""
        return next(iter(self.prefixes(device, 6)), None)

    def ether(self, device: str) -> Ether | None:
        return self._of(device, lambda: self._ethers)

    def gateway(self, device: str) -> IPv4Address | None:
        """The gateway of the default route through the device."""
        return self._of(device, lambda: self._gateways)

    def _of(self, device: str, known: Callable[[], Mapping[str, Value]]) -> Value | None:
        """The known addresses of a device, by its name in the configuration."""
        name = self._standing_in.get(device, device)
        return known().get(name) if name in self._names else None

    @cached_property
    def _names(self) -> frozenset[str]:
        """The names of all devices."""
        try:
            return frozenset(name for _, name in if_nameindex())
        except OSError:
            return frozenset()

    @cached_property
    def _dump(self) -> tuple[list, list, list]:
        """Netlink messages of links, IPv4 addresses and IPv6 addresses."""
        from pyroute2 import IPRoute

        try:
            with IPRoute() as netlink:
                return list(netlink.get_links()), *(list(netlink.get_addr(family=family)) for family in (AF_INET, AF_INET6))
        except OSError:
            return [], [], []

    @cached_property
    def _routes(self) -> list:
        """Those of IPv4, which may be a million."""
        from pyroute2 import IPRoute

        try:
            with IPRoute() as netlink:
                return list(netlink.get_routes(family=AF_INET))
        except OSError:
            return []

    @cached_property
    def _device_names(self) -> dict[int, str]:
        return {link["index"]: link.get_attr("IFLA_IFNAME") for link in self._dump[0]}

    @cached_property
    def _ethers(self) -> dict[str, Ether]:
        addresses = {link.get_attr("IFLA_IFNAME"): link.get_attr("IFLA_ADDRESS") for link in self._dump[0] if link["ifi_type"] == _ETHERNET}
        return {name: Ether.fromhex(address.replace(":", "")) for name, address in addresses.items() if address}

    @cached_property
    def _prefixes(self) -> dict[str, list[Prefix]]:
        found: dict[str, list[Prefix]] = {}
        for message in self._dump[1]:
            address = message.get_attr("IFA_LOCAL") or message.get_attr("IFA_ADDRESS")
            name = self._device_names.get(message["index"])
            if address and name:
                found.setdefault(name, []).append(Prefix.of_length(IPv4Address(address), message["prefixlen"]))
        return found

    @cached_property
    def _prefixes6(self) -> dict[str, list[IPv6Interface]]:
        found: dict[str, list[IPv6Interface]] = {}
        for message in sorted(self._dump[2], key=lambda message: message["scope"] != _GLOBAL):
            address = message.get_attr("IFA_LOCAL") or message.get_attr("IFA_ADDRESS")
            name = self._device_names.get(message["index"])
            if address and name:
                found.setdefault(name, []).append(IPv6Interface((address, message["prefixlen"])))
        return found

    @cached_property
    def _gateways(self) -> dict[str, IPv4Address]:
        found: dict[str, IPv4Address] = {}
        for route in self._routes:
            gateway, device = route.get_attr("RTA_GATEWAY"), route.get_attr("RTA_OIF")
            if route["dst_len"] == 0 and gateway and device in self._device_names:
                found.setdefault(self._device_names[device], IPv4Address(gateway))
        return found
