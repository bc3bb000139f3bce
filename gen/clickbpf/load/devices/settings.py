"""Switches settings of devices that a router needs changed, and restores them."""

import socket
from contextlib import closing, suppress
from pathlib import Path
from typing import Self

from clickbpf.errors import ClickError
from clickbpf.frozen import frozen
from clickbpf.load.kernel import namespaces, rtnetlink

#: Promiscuous mode, promisc in ip(8): the device accepts frames for all Ethernet addresses.
PROMISCUOUS = "promiscuous"
#: The number of receive queues in use, channels in ethtool(8); and, before its number, the CPUs that an interrupt may run on, as the file
#: smp_affinity_list has them.
QUEUES, INTERRUPT = "receive queues", "interrupt "
#: Features by ethtool's long names: the names on its command line; and the words for promiscuous mode.
SHORT = {
    PROMISCUOUS: "promiscuous mode",
    "generic-receive-offload": "gro",
    "tx-checksumming": "tx",
    "tx-vlan-offload": "txvlan",
    "rx-vlan-offload": "rxvlan",
}
DEVICES, INTERRUPTS = Path("/sys/class/net"), Path("/proc/irq")
#: <linux/if.h>.
IFF_PROMISC = 0x100


@frozen
class Peer:
    """A device, often the other end of a veth device: its name and index, and path and identity of its namespace, None and "" for this
    one."""

    device: str
    ifindex: int
    namespace: str | None = None
    identity: str = ""

    @classmethod
    def here(cls, device: str, ifindex: int) -> Self:
        """A device of this namespace, with what it takes to find it from another one."""
        identity = namespaces.here()
        return cls(device, ifindex, str(namespaces.locate(identity)), identity)

    @property
    def path(self) -> Path | None:
        return Path(self.namespace) if self.namespace else None

    def __str__(self) -> str:
        return f"{self.device} in {self.path.name}" if self.path and self.path.parent.name == "netns" else self.device

    def command(self, words: str) -> str:
        """The shell command that runs these words in the peer's namespace."""
        return f"{namespaces.describe(self.path)} {words}" if self.path else words


@frozen
class Change:
    """A setting that was switched, at a peer or here; `before` is its old value."""

    peer: Peer
    feature: str
    before: bool | int | str

    def undo(self) -> None:
        """Restore the old value, if device and namespace still exist."""
        path = self.peer.path and namespaces.locate(self.peer.identity)
        if self.peer.path and not path:
            return
        with suppress(rtnetlink.NoSuchDevice):
            namespaces.call_inside(path, self._restore)

    def _restore(self) -> None:
        """Restore it in this namespace; the device may have another name by now."""
        try:
            name = socket.if_indextoname(self.peer.ifindex)
        except OSError:
            return
        if self.feature.startswith(INTERRUPT) and int(self.feature.removeprefix(INTERRUPT)) not in interrupts_of(name):
            return  # by now it is nobody's, or another device's
        switch(name, {self.feature: self.before})


def out_of_reach() -> tuple[type[Exception], ...]:
    """The exceptions for namespaces that can't be entered, and for devices in them that can't be queried or changed."""
    return OSError, rtnetlink.NoSuchDevice, rtnetlink.NotSupportedError, rtnetlink.NetlinkError


def features_of(device: str) -> dict[str, bool]:
    with closing(rtnetlink.IoctlEthtool(device)) as ethtool:
        return ethtool.get_offload_flags()


def switch(device: str, features: dict[str, bool | int | str]) -> None:
    """Set settings of a device: offloads, by ethtool's long names, PROMISCUOUS, QUEUES and INTERRUPT."""
    with closing(rtnetlink.IoctlEthtool(device)) as ethtool:
        for feature, wanted in features.items():
            if feature == PROMISCUOUS:
                _set_promiscuous(device, wanted)
            elif feature == QUEUES:
                channels = ethtool.get_channels()
                setattr(channels, "combined_count" if channels.max_combined else "rx_count", wanted)
                ethtool.set_channels(channels)
            elif feature.startswith(INTERRUPT):
                _place(device, feature, wanted)
            else:
                ethtool.set_offload_flag(feature, int(wanted))


def current(device: str, feature: str) -> bool | int | str:
    """The present value of a setting other than an offload."""
    if feature == PROMISCUOUS:
        return is_promiscuous(device)
    if feature.startswith(INTERRUPT):
        return _cpus_of(feature).read_text().strip()
    return sum(_queues(device, "rx_count", "combined_count"))


def most_queues(device: str) -> int:
    """The largest number of receive queues that a device can have; 0 if the driver doesn't report it."""
    try:
        return max(_queues(device, "max_rx", "max_combined"))
    except rtnetlink.NotSupportedError:
        return 0


def _queues(device: str, *fields: str) -> list[int]:
    with closing(rtnetlink.IoctlEthtool(device)) as ethtool:
        channels = ethtool.get_channels()
        return [getattr(channels, field) for field in fields]


def interrupts_of(device: str) -> list[int]:
    """The numbers of a device's interrupts, ascending; none for devices without hardware. (virtio's belong to the device above it.)"""
    places = (DEVICES / device / "device" / above / "msi_irqs" for above in ("", ".."))
    return next((sorted(int(each.name) for each in place.iterdir()) for place in places if place.is_dir()), [])


def _place(device: str, interrupt: str, cpus: str) -> None:
    try:
        _cpus_of(interrupt).write_text(cpus)
    except OSError as error:
        hint = "the kernel places it; leave out --interrupts"
        raise ClickError(f"{device}: {interrupt} can't be placed: {error.strerror}", hint=hint) from error


def _cpus_of(feature: str) -> Path:
    return INTERRUPTS / feature.removeprefix(INTERRUPT) / "smp_affinity_list"


def is_promiscuous(device: str) -> bool:
    """Whether promiscuous mode was switched on explicitly. Requests of packet sockets, which the kernel counts separately, don't matter."""
    with rtnetlink.IPRoute() as netlink:
        return bool(netlink.get_links(netlink.link_lookup(ifname=device)[0])[0]["flags"] & IFF_PROMISC)


def _set_promiscuous(device: str, wanted: bool) -> None:
    with rtnetlink.IPRoute() as netlink:
        for index in netlink.link_lookup(ifname=device):
            netlink.link("set", index=index, flags=IFF_PROMISC * wanted, change=IFF_PROMISC)
