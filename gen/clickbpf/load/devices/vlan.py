"""VLAN tags have to stay in the frame. A device that takes them out of received frames stores them beside the frame, where XDP
doesn't look: tagged packets would be seen, and sent on, without their tags."""

from collections.abc import Iterator

from clickbpf.load.devices.devices import Device
from clickbpf.load.devices.need import Asked, Need, Wanted
from clickbpf.load.devices.settings import SHORT, Peer, features_of, out_of_reach
from clickbpf.objects.hooks import TC

RXVLAN = "rx-vlan-offload"


class TagsInFrames(Need):
    """Devices don't take tags out of frames."""

    def wanted(self, request: Asked, device: Device, mode: str) -> Iterator[Wanted]:
        if mode == TC or not _takes_tags(device.name):
            return
        advice = f"takes VLAN tags out of frames, and the router doesn't see them: ethtool -K {device.name} {SHORT[RXVLAN]} off"
        yield Wanted(device, Peer(device.name, device.ifindex), {RXVLAN: False}, f"{device} {advice}")


def _takes_tags(device: str) -> bool:
    """False if a driver doesn't report it: then it has no such feature, or one that can't be changed."""
    try:
        return features_of(device)[RXVLAN]
    except out_of_reach():
        return False
