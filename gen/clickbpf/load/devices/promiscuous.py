"""Promiscuous mode, for routers that read all frames of a device: without it the hardware drops frames for other Ethernet addresses."""

from collections.abc import Iterator

from clickbpf.load.devices.devices import Device
from clickbpf.load.devices.need import Asked, Need, Wanted
from clickbpf.load.devices.settings import PROMISCUOUS, Peer, is_promiscuous


class AllFrames(Need):
    """Promiscuous mode is on."""

    def wanted(self, request: Asked, device: Device, mode: str) -> Iterator[Wanted]:
        if device.configured in request.manifest.promiscuous and not is_promiscuous(device.name):
            yield Wanted(device, Peer(device.name, device.ifindex), {PROMISCUOUS: True})
