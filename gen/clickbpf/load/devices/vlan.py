"""VLAN tags have to stay in the frame. A device that takes them out of received frames stores them beside the frame, where XDP
doesn't look: tagged packets would be seen, and sent on, without their tags."""

from __future__ import annotations

from collections.abc import Callable, Iterator

from clickbpf.load.devices.devices import Device
from clickbpf.load.devices.settings import SHORT, Change, Peer, features_of, out_of_reach, switch

RXVLAN = "rx-vlan-offload"


def keep_tags(device: Device, allowed: bool, say: Callable[[str], None]) -> Iterator[Change]:
    """Stop `device` from taking tags out of frames; if that isn't `allowed`, or impossible, report that it does."""
    try:
        if not features_of(device.name)[RXVLAN]:
            return
        if allowed:
            switch(device.name, {RXVLAN: False})
            say(f"{device}: {SHORT[RXVLAN]} off, until the router is unloaded")
            yield Change(Peer.here(device.name, device.ifindex), RXVLAN, True)
            return
    except out_of_reach():
        # A driver that doesn't report it has no such feature, or one that can't be changed.
        if not _takes_tags(device.name):
            return
    say(f"{device} takes VLAN tags out of frames, and the router doesn't see them: ethtool -K {device.name} {SHORT[RXVLAN]} off")


def _takes_tags(device: str) -> bool:
    try:
        return features_of(device)[RXVLAN]
    except out_of_reach():
        return False
