"""Chooses how packets leave the runtime by a device: through AF_XDP sockets, or a memory-mapped ring that programs in the kernel empty
(userspace/sending.c).

AF_XDP copies each packet into a socket buffer, except for drivers that send without a copy. The ring's programs turn packets into XDP
frames, in a fraction of the time. For veth devices whose peer takes frames, the ring is the default:
both kinds of packet leave by the same queue. Other drivers may have a separate queue for XDP frames, and be slow enough for packets to
wait, so that XDP frames overtake packets of the sockets: there the user has to ask for the ring.
"""

from collections.abc import Sequence

from clickbpf.crossings import AF_XDP, AUTO, GONE, RING
from clickbpf.errors import ClickError, Diagnostic
from clickbpf.load.devices import veth
from clickbpf.load.devices.batches import sending
from clickbpf.load.devices.devices import Device
from clickbpf.load.kernel.causes import explained
from clickbpf.load.kernel.features import TRANSMIT, ZERO_COPY, xdp_features
from clickbpf.load.path.hosting import has_left
from clickbpf.messages import show
from clickbpf.objects.made import INLET
from clickbpf.runtime.host import Runtime


def cross(runtime: Runtime, devices: Sequence[Device], choice: str) -> dict[str, str]:
    """Have all devices with sockets send as chosen; returns how each one sends, by its own name. ClickError if a ring was requested and
    can't be created, or if some devices can't change; the others have then changed."""
    try:
        return choose(runtime, devices, choice)
    except ClickError as error:
        if choice != AUTO:
            raise
        show(Diagnostic(each.place, each.message, each.hint, severity="warning") for each in error.diagnostics)
    return _crossings(runtime, _served(runtime, devices))


def cross_again(runtime: Runtime, devices: Sequence[Device], choice: str) -> dict[str, str]:
    """The same for a runtime that has just replaced another: it is too late to fail, so mistakes are shown."""
    try:
        return cross(runtime, devices, choice)
    except ClickError as error:
        show(error.diagnostics)
    return _crossings(runtime, _served(runtime, devices))


def takes_frames(device: Device) -> bool:
    """Whether the device transmits XDP frames, and its AF_XDP sockets copy packets."""
    features = xdp_features(device.ifindex)
    if features is None:
        return device.kind == "veth" and veth.takes_frames(device)
    return bool(features & TRANSMIT) and not features & ZERO_COPY


def is_for_ring(device: Device, choice: str) -> bool:
    """Whether a device should send by the ring."""
    return choice != AF_XDP and (choice == RING or device.kind == "veth") and takes_frames(device)


def choose(runtime: Runtime, devices: Sequence[Device], choice: str) -> dict[str, str]:
    """The same for a running runtime, whose devices may have changed. ClickError also if the default ring can't be created."""
    served = _served(runtime, devices)
    wanted = [device for device in served if is_for_ring(device, choice) and not has_left(runtime, device)]
    if wanted and not runtime.has_sending:
        with explained("packets can't be sent by a ring"), sending(runtime.threads) as made:
            runtime.set_sending(made)
    failures = [failure for device in served for failure in _change(runtime, device, device in wanted)]
    if runtime.has_sending and not any(runtime.has_ring(device.configured) for device in served):
        runtime.end_sending()
    if failures:
        raise ClickError(failures)
    return _crossings(runtime, served)


def _change(runtime: Runtime, device: Device, by_ring: bool) -> Sequence[Diagnostic]:
    """Have a device send by the ring or by its sockets; returns the errors."""
    try:
        if runtime.has_ring(device.configured) != by_ring:
            runtime.set_ring(device.configured, device.ifindex if by_ring else 0)
    except ClickError as error:
        return error.diagnostics
    return ()


def _served(runtime: Runtime, devices: Sequence[Device]) -> list[Device]:
    return [device for device in devices if device.configured in runtime.sockets and device.configured != INLET]


def _crossings(runtime: Runtime, served: Sequence[Device]) -> dict[str, str]:
    by_ring = {device.name: RING if runtime.has_ring(device.configured) else AF_XDP for device in served}
    return by_ring | {device.name: GONE for device in served if has_left(runtime, device)}
