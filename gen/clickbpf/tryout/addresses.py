"""The addresses of a router on its devices, and those of the hosts beside it. A configuration doesn't have a device's addresses in one

place. Elements that encapsulate packets in frames or answer ARP have both an IP and an Ethernet address; the nearest such element before a
ToDevice has the device's. If there is none, they come from AddressInfo, under the device's own name. The network comes from AddressInfo,
from the address's own prefix length, or from the routing table.
"""

import re
from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import suppress
from functools import partial
from ipaddress import AddressValueError, IPv4Address, IPv4Interface, IPv4Network, IPv6Address, IPv6Interface
from itertools import islice
from typing import Any

from clickbpf.args import ArgError, EtherAddress, IP6Address, IPAddress, IPPrefixNonContiguous, Type
from clickbpf.args.names import IP6_PREFIX, IP_PREFIX
from clickbpf.args.values import Ether, Prefix
from clickbpf.frozen import frozen
from clickbpf.graph.checked import CheckedRouter
from clickbpf.plan.devices import own_device
from clickbpf.vocabulary.element import Element
from clickbpf.vocabulary.roles import NameGiver

Address = IPv4Interface | IPv6Interface
#: The most addresses from the configuration that a host gets in one network: a routing table may have thousands.
MOST = 16
#: The default prefix length of a network.
USUAL = 24
#: The network for hosts on devices without an address of the router; if it is in use, another one of 10.0.0.0/8.
PLAIN = IPv4Network("10.0.0.0/24")
_WORD = re.compile(r'[^\s,()"]+')


@frozen
class Interface:
    """The router's addresses on a device; None for those it doesn't have."""

    ip: IPv4Interface | None = None
    ip6: IPv6Interface | None = None
    ether: Ether | None = None


@frozen
class Host:
    """A host's addresses, and the router's addresses that are its gateways."""

    addresses: tuple[Address, ...]
    gateways: tuple[IPv4Address | IPv6Address, ...] = ()


def interfaces(checked: CheckedRouter, devices: Iterable[str]) -> dict[str, Interface]:
    """The router's interface on each device; it has no addresses if frames pass unchanged."""
    known = dict(_known(checked))
    found = {device: _interface(checked, device, known.values()) for device in devices}
    return {device: interface or known.get(device, Interface()) for device, interface in found.items()}


def hosts(checked: CheckedRouter, found: Mapping[str, Interface]) -> dict[str, Host]:
    """A host for each device, with addresses of the router's networks: first a free one, then those of other hosts in the configuration. On
    devices where the router has no addresses, all hosts are in one network."""
    named = list(_named(checked))
    own = {address.ip for interface in found.values() for address in _addresses(interface)}
    plain = iter(_plain(found, own | set(named)))
    made = {}
    for device, interface in found.items():
        addresses, gateways = [], []
        for address in _addresses(interface):
            mine = _of_host(address, own, named)
            addresses += mine
            gateways += [address.ip] if mine else []
        made[device] = Host(tuple(addresses or [next(plain)]), tuple(gateways))
    return made


# -- the router ---------------------------------------------------------------------------------------------------------


def _known(checked: CheckedRouter) -> Iterator[tuple[str, Interface]]:
    """The interfaces in AddressInfo, by name."""
    for element in checked.router.elements:
        instance = checked.instances[element.name]
        if not isinstance(instance, NameGiver):
            continue
        for text, _ in element.args():
            name, *words = _WORD.findall(text) or [""]
            yield name, _of_words(instance, words)


def _interface(checked: CheckedRouter, device: str, known: Iterable[Interface]) -> Interface | None:
    """The addresses of the element nearest to the device, completed from `known`; None if no element there has addresses."""
    ends = [name for name, instance in checked.instances.items() if instance.sends_to() == device]
    for end in ends:
        for nearest in checked.flow.nearest(end, False, partial(_is_interface)):
            said = _of_words(nearest, _WORD.findall(checked.router.element(nearest.name).config))
            same = (each for each in known if each.ether == said.ether or (each.ip and said.ip and each.ip.ip == said.ip.ip))
            better = next(same, Interface())
            found = Interface(better.ip or said.ip, better.ip6 or said.ip6, said.ether)
            return Interface(_with_network(checked, found.ip), found.ip6, found.ether)
    return None


def _is_interface(element: Element) -> bool:
    """Whether an element's arguments have both an IP and an Ethernet address. Names of devices don't count: they stand for the machine's
    own addresses."""
    if own_device(element) is not None:
        return False
    said = _of_words(element, _WORD.findall(element.context.router.element(element.name).config))
    return said.ether is not None and (said.ip is not None or said.ip6 is not None)


def _of_words(element: Element, words: Iterable[str]) -> Interface:
    """The first address of each kind among an element's words."""
    ip = ip6 = ether = None
    for word in words:
        ether = ether or _parsed(EtherAddress(), word, element)
        ip = ip or _ip(element, word)
        ip6 = ip6 or _ip6(element, word)
    return Interface(ip, ip6, ether)


def _ip(element: Element, word: str) -> IPv4Interface | None:
    prefix = element.context.names.query(IP_PREFIX, element.name, word.partition(":")[0]) if word[0].isalpha() else None
    address = _parsed(IPAddress(), word, element)
    if address is None and not word[0].isalpha():
        prefix = _parsed(IPPrefixNonContiguous(bare=False), word, element)
        address = prefix and prefix.address
    if address is None or word.isdecimal():
        return None
    return _interface_of(address, prefix)


def _interface_of(address: IPv4Address, prefix: Prefix | None) -> IPv4Interface:
    fits = prefix is not None and prefix.length is not None and address in prefix
    return IPv4Interface((address, prefix.length if fits else 32))


def _ip6(element: Element, word: str) -> IPv6Interface | None:
    prefix = element.context.names.query(IP6_PREFIX, element.name, word.partition(":")[0]) if word[0].isalpha() else None
    address = _parsed(IP6Address(), word, element)
    if address is None:
        with suppress(AddressValueError, ValueError):
            return IPv6Interface(word) if "/" in word and ":" in word else None
        return None
    return IPv6Interface((address, prefix.network.prefixlen)) if prefix and address in prefix.network else None


def _parsed(kind: Type, word: str, element: Element) -> Any:
    try:
        return kind.parse(word, element.context)
    except ArgError:
        return None


def _with_network(checked: CheckedRouter, address: IPv4Interface | None) -> IPv4Interface | None:
    """An address with its own prefix length if known, otherwise with that of the narrowest network in the configuration around it."""
    if address is None or address.network.prefixlen < 32:
        return address
    lengths = []
    for word in _words(checked):
        with suppress(ValueError):
            network = IPv4Network(word, strict=False) if "/" in word else address.network
            lengths += [network.prefixlen] if address.ip in network and 0 < network.prefixlen < 32 else []
    return IPv4Interface((address.ip, max(lengths, default=USUAL)))


# -- its neighbours -----------------------------------------------------------------------------------------------------


def _addresses(interface: Interface) -> Iterator[Address]:
    yield from (address for address in (interface.ip, interface.ip6) if address is not None)


def _words(checked: CheckedRouter) -> Iterator[str]:
    for element in checked.router.elements:
        yield from _WORD.findall(element.config)


def _named(checked: CheckedRouter) -> Iterator[IPv4Address | IPv6Address]:
    """The single addresses in a configuration."""
    for word in dict.fromkeys(_words(checked)):
        for kind in (IPv4Address, IPv6Address):
            with suppress(ValueError):
                yield kind(word)


def _of_host(router: Address, own: set, named: list) -> list[Address]:
    """The addresses of a host in the network of one of the router's addresses."""
    network, with_length = router.network, partial(_with_length, length=router.network.prefixlen)
    reserved = {network.network_address, getattr(network, "broadcast_address", None)} if network.num_addresses > 2 else set()
    others = [each for each in named if each.version == router.version and each in network and each not in own | reserved]
    free = islice((each for each in islice(network, 1024) if each not in own | reserved | set(others)), 1)
    return [with_length(each) for each in (*free, *others[:MOST])]


def _with_length(address: IPv4Address | IPv6Address, length: int) -> Address:
    return (IPv4Interface if address.version == 4 else IPv6Interface)((address, length))


def _plain(found: Mapping[str, Interface], taken: set) -> Iterator[IPv4Interface]:
    """Addresses of a network that doesn't overlap the router's."""
    networks = [interface.ip.network for interface in found.values() if interface.ip]
    candidates = (PLAIN, *(network for network in IPv4Network("10.0.0.0/8").subnets(new_prefix=24)))
    free: Callable[[IPv4Network], bool] = lambda network: not any(network.overlaps(each) for each in networks)  # noqa: E731
    network = next(network for network in candidates if free(network))
    yield from (IPv4Interface((each, network.prefixlen)) for each in network.hosts() if each not in taken)
