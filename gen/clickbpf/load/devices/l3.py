"""L3 devices, whose packets begin with their IP header: tun devices, WireGuard, IP tunnels."""

from collections.abc import Iterator
from ipaddress import ip_address

from clickbpf.errors import ClickError, Diagnostic
from clickbpf.load.devices.devices import Device
from clickbpf.load.devices.need import Asked, Need
from clickbpf.objects.hooks import XDP
from clickbpf.objects.manifest import Manifest
from clickbpf.objects.outbound import wire

CURE = "on TC routers take such devices: --hook tc"
#: Kinds of devices that put an IP header in front of packets, to the address of their other end; of those without one, Linux takes the
#: address from the packet's route, which what a program or a packet socket sends doesn't have. (A sit device takes it from 6to4 addresses,
#: too.)
TUNNELS = ("ipip", "ip6tnl", "gre", "ip6gre")
NOWHERE = ("0.0.0.0", "::")


class LinkHeaders(Need):
    """Packets begin with an Ethernet or IP header. ClickError, at the first element that reads or sends by each, for L3 devices that a
    router can't use so."""

    variables = {"device_l3": lambda devices: bytes(device.l3 for device in devices)}

    def check(self, request: Asked) -> None:
        wrong = [found for device in request.devices if device.l3 for found in _faults(request.manifest, device)]
        if wrong:
            raise ClickError(wrong)


def has_header(device: Device) -> bool:
    """Whether packets of an L3 device don't begin with their IP header after all: without a single other end, GRE devices have the
    tunnel's header in front (header_ops in the kernel's ip_gre.c and ip6_gre.c)."""
    to_group = device.kind == "gre" and device.remote != "" and ip_address(device.remote).is_multicast
    return to_group or (device.kind in ("gre", "ip6gre") and device.remote in NOWHERE)


def _faults(manifest: Manifest, device: Device) -> Iterator[Diagnostic]:
    names = {name for configured, name in manifest.wired if configured == device.configured}
    users = [element for element in manifest.elements if element.name in names]
    remote = f"make it with one: ip link add {wire(device.name)} type {device.kind} remote ADDRESS ..."
    if manifest.hook == XDP:
        found = users, f"packets of {device} have no Ethernet header, which XDP needs", CURE
    elif has_header(device):
        found = users, f"packets of {device} begin with a header of the tunnel's, which has no single remote address", remote
    elif device.kind in TUNNELS and device.remote in NOWHERE:
        senders = [element for element in users if element.inputs]
        found = senders, f"{device} has no remote address: Linux drops what a router sends by it", remote
    else:
        return
    for element in found[0][:1]:
        yield Diagnostic(element.position, *found[1:])
