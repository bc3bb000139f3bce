"""L3 devices, whose packets begin with their IP header: tun devices, WireGuard, IP tunnels."""

from __future__ import annotations

from collections.abc import Sequence

from clickbpf.errors import ClickError, Diagnostic
from clickbpf.load.devices.devices import Device
from clickbpf.objects.hooks import XDP
from clickbpf.objects.manifest import Manifest

CURE = "on TC routers take such devices: --hook tc"


def check(manifest: Manifest, devices: Sequence[Device]) -> None:
    """ClickError, at the first element that reads or sends by each, for L3 devices of a router on XDP, which is about Ethernet frames."""
    if manifest.hook != XDP:
        return
    users = dict(reversed(manifest.wired))
    places = {element.name: element.position for element in manifest.elements}
    wrong = [
        Diagnostic(places.get(users[device.configured]), f"packets of {device} have no Ethernet header, which XDP needs", CURE)
        for device in devices
        if device.l3 and device.configured in users
    ]
    if wrong:
        raise ClickError(wrong)
