"""Frames in several buffers, which devices with a large MTU have: finds the devices that need programs for them, and those to which they
can be redirected."""

from collections.abc import Iterator
from contextlib import suppress

from clickbpf.errors import ClickError
from clickbpf.load.devices import veth
from clickbpf.load.devices.devices import Device
from clickbpf.load.devices.need import Asked, Need
from clickbpf.load.devices.settings import out_of_reach
from clickbpf.load.kernel.features import TRANSMIT_PARTS, redirects_parts, takes_parts, xdp_features
from clickbpf.objects.hooks import TC
from clickbpf.objects.made import INLET

#: The largest MTU whose frames are in one buffer: a page, less headroom, Ethernet header and the kernel's own data.
WHOLE_MTU = 3498
#: The longest packet, with its record, that can be handed over to the runtime (LONGEST of userspace/xsk.h is longer).
MOST_IN_PARTS = 65535


def needs_frags(device: Device) -> bool:
    """Whether native XDP on a device has to take frames in several buffers, because of its own MTU or that of its veth peer."""
    mtus = [device.mtu]
    if device.kind == "veth":
        with suppress(*out_of_reach()):
            mtus.append(veth.mtu_of_peer(device))
    return max(mtus) > WHOLE_MTU


def takes_frags(device: Device) -> bool:
    """Whether frames in several buffers can be redirected to a device. A veth device only reports this once its peer is ready."""
    features = xdp_features(device.ifindex)
    return features is not None and (device.kind == "veth" or bool(features & TRANSMIT_PARTS))


def receives_in_parts(device: Device) -> bool:
    """Whether a device's sockets have to take packets that are longer than one of their frames, and the kernel supports this."""
    return (device.mtu > WHOLE_MTU or device.configured == INLET) and takes_parts()


class Buffers(Need):
    """Frames are in no more buffers than the programs and the kernel can take (bpf/exits.h, bpf/exits_xdp.h)."""

    variables = {
        "most_in_parts": lambda _: (MOST_IN_PARTS if takes_parts() else 0).to_bytes(4, "little"),
        "device_whole_only": lambda devices: bytes(not takes_frags(device) for device in devices),
    }

    def check(self, request: Asked) -> None:
        if request.priority is not None and request.manifest.frags:
            raise ClickError("--multi is for devices that have each frame in one buffer", hint=f"MTUs of up to {WHOLE_MTU}, or no --multi")

    def lacking(self, request: Asked) -> Iterator[str]:
        """A line about frames that will be dropped."""
        frags = request.manifest.frags
        large = [device for device in request.devices if device.mtu > WHOLE_MTU and device.configured != INLET]
        if large and (frags or request.manifest.hook == TC) and not takes_parts():
            lost = "packets in several buffers" if frags else f"packets of more than about {WHOLE_MTU - 98} bytes"
            what = "handed over to the runtime before Linux 6.6"
            if frags and not redirects_parts():
                what = "sent by XDP before Linux 6.3, nor " + what
            yield f"{', '.join(map(str, large))}: {lost} can't be {what}: they are dropped (DEVICE)"


def cure(device: str) -> str:
    """What to do about an MTU that is too large for programs that take frames in one buffer."""
    frags = "--frags, where the router is compiled; or " if redirects_parts() else ""
    return f"{frags}ip link set {device} mtu {WHOLE_MTU}, at both ends of a veth pair; or --hook tc; or --mode generic"
