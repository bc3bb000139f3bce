"""Devices of which a router reads all frames: without promiscuous mode the hardware drops frames for other Ethernet addresses."""

from __future__ import annotations

from collections.abc import Callable, Iterator

from clickbpf.load.devices.devices import Device
from clickbpf.load.devices.settings import PROMISCUOUS, Change, Peer, is_promiscuous, switch


def receive_all(device: Device, say: Callable[[str], None]) -> Iterator[Change]:
    """Switch promiscuous mode on, unless it is already."""
    if is_promiscuous(device.name):
        return
    switch(device.name, {PROMISCUOUS: True})
    say(f"{device}: promiscuous mode on, until the router is unloaded")
    yield Change(Peer.here(device.name, device.ifindex), PROMISCUOUS, False)
