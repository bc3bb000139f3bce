"""Finds the network devices for a configuration's devices, and the properties of these that loading needs."""

from collections.abc import Collection, Iterable, Mapping, Sequence
from contextlib import suppress
from dataclasses import replace
from socket import AF_INET, AF_INET6
from typing import Any

from clickbpf.errors import ClickError, Diagnostics
from clickbpf.frozen import frozen
from clickbpf.load.devices.record import loaded_here
from clickbpf.load.devices.settings import QUEUES, current
from clickbpf.load.kernel import rtnetlink
from clickbpf.nearest import did_you_mean
from clickbpf.objects.manifest import Manifest
from clickbpf.objects.outbound import alike, is_outbound, wire

IFF_UP, IFF_LOOPBACK = 1 << 0, 1 << 3
#: ARPHRD_NONE (tun, WireGuard), TUNNEL, TUNNEL6, SIT, IPGRE, IP6GRE, PPP, RAWIP and VOID of <linux/if_arp.h>: types of devices whose
#: packets have no link header (dev_is_mac_header_xmit() in the kernel).
L3_TYPES = frozenset({0xFFFE, 768, 769, 776, 778, 823, 512, 519, 0xFFFF})
#: The name of a device by which a runtime sends (batches.py), without its number.
SENDER = "clickbpf"


@frozen
class Device:
    """A device of this machine.

    - `configured` is its name in the configuration.
    - `mac` has 6 bytes, or none for devices without Ethernet.
    - `kind` is the kernel's word for a virtual device ("veth"), "" for hardware.
    - `queues` is the number of receive queues in use.
    - `link` is the ifindex of the other end, `link_nsid` its namespace unless that is this one.
    - Packets of an `l3` device begin with their IP header.
    - `remote` is the address of an IP tunnel's other end, all zeros if it has none.

    An outbound device (FromOutbound), which represents what Linux sends by a device, differs from that in both names only.
    """

    configured: str
    name: str
    ifindex: int
    mac: bytes
    mtu: int
    kind: str
    queues: int
    up: bool
    link: int | None = None
    link_nsid: int | None = None
    l3: bool = False
    remote: str = ""

    def __str__(self) -> str:
        return self.name if self.name == self.configured else f"{self.name} (the configuration's {self.configured})"

    @property
    def outbound(self) -> bool:
        """Whether this represents what Linux sends by the device."""
        return is_outbound(self.configured)

    @property
    def direction(self) -> str:
        """The TC hook that sees its packets: the device's "ingress" or "egress"."""
        return "egress" if self.outbound else "ingress"

    @property
    def entrance(self) -> tuple[int, str]:
        """The index of the device, and the TC hook that sees its packets."""
        return self.ifindex, self.direction


def resolve(configured: Sequence[str], allowed: Iterable[str] = (), mapping: Mapping[str, str] | None = None) -> tuple[Device, ...]:
    """The devices for those of the configuration, in the same order.

    `mapping` has other names for some of them; if `allowed` names any device, only these may be used. ClickError with all mistakes.
    """
    mapping, allowed = mapping or {}, frozenset(allowed)
    problems = Diagnostics()
    wires = {wire(name): mapping.get(wire(name), wire(name)) for name in configured}
    for word in {wire(name) for name in mapping} - wires.keys():
        problems.error(None, f"the configuration has no device {word}", did_you_mean(word, wires))
    links = rtnetlink.links()
    found = {}
    for wanted, name in wires.items():
        if allowed and name not in allowed and wanted not in mapping:
            message = f"the configuration uses {wanted}, which is not among the devices given"
            file = next((each for each in allowed if each not in links and each.endswith(".click")), None)
            one = f"words after the configuration are devices, and '{file}' is none: one configuration at a time"
            problems.error(None, message, one if file else f"add {wanted}, or {wanted}=DEVICE")
        elif name not in links:
            problems.error(None, f"there is no network device {name or repr(name)}", _instead(wanted, name, links, wires.values()))
        else:
            found[wanted] = _device(wanted, name, links[name])
    _check(found.values(), problems)
    problems.raise_if_errors()
    wanted = ((name, found[wire(name)]) for name in dict.fromkeys(configured))
    return tuple(replace(device, configured=name, name=alike(device.name, name)) for name, device in wanted)


def _instead(wanted: str, name: str, links: Mapping[str, Any], used: Collection[str]) -> str:
    """A hint for a device that isn't there, with others that the configuration doesn't use."""
    maps, others = f"{wanted}=DEVICE maps another one to it", links.keys() - used
    for router, before in loaded_here():
        for index in (before.ifindexes[each] for each, device in before.devices.items() if device == name):
            if now := next((other for other, link in links.items() if link["index"] == index), None):
                return f"the router {router} has it, whose name is {now} now: 'ip link set {now} name {name}'"
            return f"it is gone since the router {router} was loaded; {maps}"
    return did_you_mean(name, others) or f"there are {', '.join(sorted(others)[:8])}; {maps}"


def existing(manifest: Manifest, mapping: Mapping[str, str], allowed: Iterable[str] = ()) -> tuple[Device, ...]:
    """The devices of a router that it doesn't create itself, in the manifest's order, as resolve() finds them. `mapping` may have more
    devices."""
    own = {each.device for each in manifest.made}
    names = [device for device in manifest.devices if device not in own]
    wires = set(map(wire, names))
    return resolve(names, allowed, {name: device for name, device in mapping.items() if name in wires})


def all_devices() -> list[Device]:
    """Every device of this namespace except the loopback, and those by which runtimes send, under its own name."""
    found = (_device(name, name, link) for name, link in rtnetlink.links().items() if not link["flags"] & IFF_LOOPBACK)
    return [device for device in found if device.kind != "tun" or not device.name.startswith(SENDER)]


def with_default_route(devices: Iterable[Device]) -> list[Device]:
    """The devices among these that have default routes."""
    with rtnetlink.IPRoute() as netlink:
        routes = [route for family in (AF_INET, AF_INET6) for route in netlink.get_routes(family=family) if not route["dst_len"]]
    hops = [hop for route in routes for hop in route.get_attr("RTA_MULTIPATH") or ()]
    indices = {route.get_attr("RTA_OIF") for route in routes} | {hop["oif"] for hop in hops}
    return [device for device in devices if device.ifindex in indices]


def _check(devices: Iterable[Device], problems: Diagnostics) -> None:
    taken: dict[str, str] = {}
    for device in devices:
        if not device.up:
            problems.error(None, f"{device} is down", f"ip link set {device.name} up")
        if device.name in taken:
            problems.error(None, f"{device.name} can't be both {taken[device.name]} and {device.configured}")
        taken[device.name] = device.configured


def _device(configured: str, name: str, link) -> Device:
    info = link.get_attr("IFLA_LINKINFO")
    l3 = link["ifi_type"] in L3_TYPES
    address = "" if l3 else link.get_attr("IFLA_ADDRESS") or ""
    return Device(
        configured,
        name,
        link["index"],
        bytes.fromhex(address.replace(":", "")),
        link.get_attr("IFLA_MTU"),
        (info.get_attr("IFLA_INFO_KIND") if info else None) or "",
        _queues(name) or link.get_attr("IFLA_NUM_RX_QUEUES") or 1,
        bool(link["flags"] & IFF_UP),
        link.get_attr("IFLA_LINK"),
        link.get_attr("IFLA_LINK_NETNSID"),
        l3,
        _remote(info) if l3 and info else "",
    )


def _remote(info) -> str:
    """A tunnel's remote address, whose attribute has another name for each kind of tunnel."""
    data = info.get_attr("IFLA_INFO_DATA")
    options = data["attrs"] if isinstance(data, dict) else ()  # of kinds that pyroute2 doesn't know, it is text
    return next((value for name, value, *_ in options if name.endswith("_REMOTE")), "")


def _queues(name: str) -> int:
    """The number of receive queues in use, 0 if the driver doesn't report it."""
    with suppress(rtnetlink.NotSupportedError):
        return current(name, QUEUES)
    return 0


def by_index(ifindex: int) -> str:
    """The name of the device with this index in this namespace."""
    with rtnetlink.IPRoute() as netlink:
        links = list(netlink.get_links(ifindex))
    if not links:
        raise ClickError(f"there is no network device with index {ifindex}")
    return links[0].get_attr("IFLA_IFNAME")
