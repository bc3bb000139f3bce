"""Devices that a router creates (`Manifest.made`): veth pairs, with one end for Linux, and the other for the router.

Linux doesn't use the router's end: it has no addresses, and generates none for IPv6. It has the Ethernet address of Linux's end,
because packets for Linux are sent to that.
"""

from collections.abc import Mapping, Sequence
from contextlib import ExitStack
from ipaddress import IPv4Interface

from clickbpf.errors import ClickError
from clickbpf.load.devices import veth
from clickbpf.load.devices.pair import Pair, end_of, explained_netlink
from clickbpf.load.devices.record import loaded_here
from clickbpf.load.devices.settings import switch
from clickbpf.load.kernel import rtnetlink
from clickbpf.objects.made import INLET, MadeDevice
from clickbpf.objects.manifest import Manifest

IFF_NOARP = 0x80


def make(manifest: Manifest, names: Mapping[str, str], kept: Sequence[Pair], undo: ExitStack) -> tuple[Pair, ...]:
    """Create a router's devices in this namespace; `undo` removes them.

    `names` has names for those that are called otherwise than in the configuration. Devices in `kept`, which the previous router created,
    are used again; settings that differ are changed.
    """
    there = {pair.name: pair for pair in kept}
    pairs = []
    for made in manifest.made:
        name = names.get(made.device, made.device)
        before = there.get(name)
        if before is None:
            pair = _create(name, made, manifest, undo)
            _set_up(pair)
        else:
            pair = Pair(name, before.index, made)
            if made != before.made:
                undo.callback(_set_up, before)
                _set_up(pair)
        pairs.append(pair)
    return tuple(pairs)


def _create(name: str, made: MadeDevice, manifest: Manifest, undo: ExitStack) -> Pair:
    with explained_netlink(f"the device {name} can't be made"), rtnetlink.IPRoute() as netlink:
        taken = [each for each in (name, end_of(name)) if netlink.link_lookup(ifname=each)]
        if taken:
            raise _exists(taken, made, manifest)
        netlink.link("add", ifname=name, kind="veth", peer={"ifname": end_of(name)})
        pair = Pair(name, netlink.link_lookup(ifname=name)[0], made)
    undo.callback(pair.remove)
    return pair


def _exists(taken: Sequence[str], made: MadeDevice, manifest: Manifest) -> ClickError:
    name = taken[0]
    place = next((element.position for element in manifest.elements if element.name == made.element), None)
    holder = owner(name)
    if holder:
        return ClickError(f"{name} is a device of the router {holder}", place, f"clickbpf unload {holder}, or {made.device}=OTHERNAME")
    if len(taken) == 2:
        hint = f"'ip link delete {name}' if a router that was killed has left it"
    else:
        hint = f"{made.device}=OTHERNAME makes it under another name; packets that a device receives enter by FromDevice"
    return ClickError(f"there is a network device {name} already; '{made.element}' makes one of that name", place, hint)


def owner(name: str) -> str | None:
    """The loaded router that created a device of this namespace, or None."""
    found = (router for router, record in loaded_here() if any(name in (pair.name, pair.end) for pair in record.made))
    return next(found, None)


def _set_up(pair: Pair) -> None:
    """Configure both ends, whatever their settings were."""
    made = pair.made
    with explained_netlink(f"the device {pair.name} can't be set up"), rtnetlink.IPRoute() as netlink:
        (end,) = netlink.link_lookup(ifname=pair.end)
        netlink.link("set", index=pair.index, state="down")
        netlink.flush_addr(index=pair.index, family=2)
        flags = 0 if made.arp else IFF_NOARP
        netlink.link("set", index=pair.index, mtu=made.mtu, flags=flags, change=IFF_NOARP)
        if made.ether:
            netlink.link("set", index=pair.index, address=made.ether)
        (own,) = netlink.get_links(pair.index)
        if made.device == INLET:
            netlink.link("set", index=pair.index, **rtnetlink.without_addresses())
        netlink.link("set", index=end, mtu=made.mtu, address=own.get_attr("IFLA_ADDRESS"), **rtnetlink.without_addresses())
        switch(pair.name, veth.WANTED)
        _give_address(netlink, pair)
        for index in (end, pair.index):
            netlink.link("set", index=index, state="up")
        if made.gateway:
            netlink.route("add", dst="default", gateway=made.gateway, oif=pair.index)


def _give_address(netlink: rtnetlink.IPRoute, pair: Pair) -> None:
    if pair.made.address:
        address = IPv4Interface(pair.made.address)
        length = address.network.prefixlen
        broadcast = {"broadcast": str(address.network.broadcast_address)} if length < 31 else {}
        netlink.addr("add", index=pair.index, address=str(address.ip), prefixlen=length, **broadcast)
