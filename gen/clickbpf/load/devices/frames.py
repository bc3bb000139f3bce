"""Needs of routers that see all frames of a device as they are on the wire: settings with which it keeps something back are changed.

Without promiscuous mode the hardware drops frames for other Ethernet addresses. A device that removes VLAN tags from received frames stores
them outside of the frame, where XDP doesn't see them, so that tagged packets would be processed and sent without their tags.
"""

from collections.abc import Iterator

from clickbpf.load.devices.devices import Device
from clickbpf.load.devices.need import Asked, Need, Wanted
from clickbpf.load.devices.settings import PROMISCUOUS, SHORT, Peer, features_of, is_promiscuous, out_of_reach
from clickbpf.objects.hooks import TC

RXVLAN = "rx-vlan-offload"


class AllFrames(Need):
    """Promiscuous mode is on, for routers that read all frames of a device."""

    def wanted(self, request: Asked, device: Device, mode: str) -> Iterator[Wanted]:
        if device.configured in request.manifest.promiscuous and not is_promiscuous(device.name):
            yield Wanted(device, Peer(device.name, device.ifindex), {PROMISCUOUS: True})


class TagsInFrames(Need):
    """Devices don't remove tags from frames."""

    def wanted(self, request: Asked, device: Device, mode: str) -> Iterator[Wanted]:
        if mode == TC or not _takes_tags(device.name):
            return
        advice = f"removes VLAN tags from frames, so the router doesn't see them: ethtool -K {device.name} {SHORT[RXVLAN]} off"
        yield Wanted(device, Peer(device.name, device.ifindex), {RXVLAN: False}, f"{device} {advice}")


def _takes_tags(device: str) -> bool:
    """Whether a device removes tags. False if its driver doesn't report it: then it doesn't, or that can't be changed."""
    try:
        return features_of(device)[RXVLAN]
    except out_of_reach():
        return False
