"""L3 devices, whose packets begin with their IP header: tun devices, WireGuard, IP tunnels."""

from collections.abc import Iterator
from ipaddress import ip_address

from clickbpf.errors import ClickError, Diagnostic
from clickbpf.load.devices.devices import Device
from clickbpf.load.devices.need import Asked, Need
from clickbpf.objects.hooks import XDP
from clickbpf.objects.manifest import Manifest
from clickbpf.objects.outbound import wire

CURE = "routers on TC can use such devices: --hook tc"
#: Kinds of tunnels, which prepend an IP header to their remote address. Without one, Linux takes the address from the packet's route, but
#: packets that programs and packet sockets send have no route. (A sit device also takes it from 6to4 addresses.)
TUNNELS = ("ipip", "ip6tnl", "gre", "ip6gre")
NOWHERE = ("0.0.0.0", "::")


class LinkHeaders(Need):
    """Packets of devices begin with an Ethernet or IP header. ClickError for other L3 devices, at the first element that uses each."""

    variables = {"device_l3": lambda devices: bytes(device.l3 for device in devices)}

    def check(self, request: Asked) -> None:
        wrong = [found for device in request.devices if device.l3 for found in _faults(request.manifest, device)]
        if wrong:
            raise ClickError(wrong)


def has_header(device: Device) -> bool:
    """Whether packets of an L3 device begin with the tunnel's header instead of their IP header: those of GRE devices without a single
    remote address do (header_ops in the kernel's ip_gre.c and ip6_gre.c)."""
    to_group = device.kind == "gre" and device.remote != "" and ip_address(device.remote).is_multicast
    return to_group or (device.kind in ("gre", "ip6gre") and device.remote in NOWHERE)


def _faults(manifest: Manifest, device: Device) -> Iterator[Diagnostic]:
    names = {name for configured, name in manifest.wired if configured == device.configured}
    users = [element for element in manifest.elements if element.name in names]
    remote = f"create it with one: ip link add {wire(device.name)} type {device.kind} remote ADDRESS ..."
    if manifest.hook == XDP:
        found = users, f"packets of {device} have no Ethernet header, which XDP needs", CURE
    elif has_header(device):
        found = users, f"packets of {device} begin with the tunnel's header, since it has no single remote address", remote
    elif device.kind in TUNNELS and device.remote in NOWHERE:
        senders = [element for element in users if element.inputs]
        found = senders, f"{device} has no remote address: Linux drops what a router sends by it", remote
    else:
        return
    for element in found[0][:1]:
        yield Diagnostic(element.position, *found[1:])
