"""Prepares the peers of veth devices, so that XDP can forward over these.

- A frame redirected into a veth device is lost unless the peer receives by NAPI, which it does with an XDP program or with GRO on.
- A Linux host at the peer leaves checksums to the device, which doesn't compute any: after a redirect TCP segments arrive with wrong
  ones, unless the peer's transmit checksum offload is off.
- VLAN tags are left to the device as well, and travel outside of the frame, unless the peer's txvlan is off.
"""

from collections.abc import Iterator
from contextlib import suppress
from socket import if_nametoindex

from clickbpf.load.devices.devices import Device, by_index
from clickbpf.load.devices.links import attached_xdp
from clickbpf.load.devices.need import Asked, Need, Wanted
from clickbpf.load.devices.settings import SHORT, Peer, features_of, out_of_reach
from clickbpf.load.kernel import namespaces, rtnetlink
from clickbpf.objects.hooks import TC

GRO, CHECKSUMS, TXVLAN = "generic-receive-offload", "tx-checksumming", "tx-vlan-offload"
#: The peer's features that XDP needs to forward over a veth device.
WANTED = {GRO: True, CHECKSUMS: False, TXVLAN: False}


def find_peer(device: Device) -> Peer | None:
    """The peer of a veth device, or None if its namespace is out of reach."""
    if device.link_nsid is None:
        return Peer(by_index(device.link), device.link)
    namespace = namespaces.find(device.link_nsid)
    if namespace is None:
        return None
    name, identity = namespaces.call_inside(namespace, lambda: (by_index(device.link), namespaces.here()))
    return Peer(name, device.link, str(namespace), identity)


def mtu_of_peer(device: Device) -> int:
    """The MTU of a veth device's peer, 0 if its namespace is out of reach."""
    if device.link_nsid is None:
        return _mtu(device.link)
    namespace = namespaces.find(device.link_nsid)
    return namespaces.call_inside(namespace, _mtu, device.link) if namespace else 0


def _mtu(ifindex: int) -> int:
    with rtnetlink.IPRoute() as netlink:
        return next(iter(netlink.get_links(ifindex))).get_attr("IFLA_MTU")


def missing(peer: Peer, mode: str) -> dict[str, bool]:
    """The features to switch at a peer: long name -> wanted value. Generic mode doesn't need the peer's GRO."""
    now = namespaces.call_inside(peer.path, features_of, peer.device)
    return {feature: wanted for feature, wanted in WANTED.items() if now[feature] != wanted and not (feature == GRO and mode == "generic")}


def lacking(device: Device, mode: str) -> tuple[Peer | None, dict[str, bool]]:
    """The peer of a veth device, None if it is out of reach, and its features to switch."""
    with suppress(*out_of_reach()):
        if peer := find_peer(device):
            return peer, missing(peer, mode)
    return None, WANTED


def takes_frames(device: Device) -> bool:
    """Whether a veth device's peer receives frames that are redirected to the device: it has GRO on, or an XDP program. False if it is out
    of reach."""
    try:
        peer = find_peer(device)
        return peer is not None and namespaces.call_inside(peer.path, _has_napi, peer.device)
    except out_of_reach():
        return False


def _has_napi(device: str) -> bool:
    return features_of(device)[GRO] or attached_xdp(if_nametoindex(device)) != 0


class FarEnds(Need):
    """The peers of veth devices are ready for XDP."""

    def wanted(self, request: Asked, device: Device, mode: str) -> Iterator[Wanted]:
        if device.kind != "veth" or mode == TC:
            return
        peer, features = lacking(device, mode)
        if features:
            lost = "is a veth device, over which TCP and redirects fail without this"
            yield Wanted(device, peer, features, f"{device} {lost}: {advice(peer, features)}")


def advice(peer: Peer | None, features: dict[str, bool]) -> str:
    """The command with which the user can switch these features."""
    words = " ".join(f"{SHORT[feature]} {'on' if wanted else 'off'}" for feature, wanted in features.items())
    if peer is None:
        return f"in the namespace of the other end: ethtool -K PEER {words}"
    return peer.command(f"ethtool -K {peer.device} {words}")
