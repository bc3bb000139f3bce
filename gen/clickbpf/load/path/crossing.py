"""By which way packets of the runtime leave by devices: AF_XDP's sockets, or a memory-mapped ring that programs of the kernel empty
(userspace/sending.c).

AF_XDP copies each packet into a socket buffer, but for drivers that send without a copy. The ring's programs make XDP frames of them,
which costs a third of the time or less where many packets leave at once. A veth device whose other end takes frames is sent both by the
same queue, so the ring is chosen there unless the user chooses. Other drivers may have a queue of its own for XDP frames, where these
overtake packets of the sockets, and be slow enough for packets to wait: there the ring is for those who ask for it.
"""

from collections.abc import Sequence

from clickbpf.errors import ClickError, Diagnostic
from clickbpf.load.devices import veth
from clickbpf.load.devices.batches import sending
from clickbpf.load.devices.crossings import AF_XDP, AUTO, RING
from clickbpf.load.devices.devices import Device
from clickbpf.load.kernel.causes import explained
from clickbpf.load.kernel.features import TRANSMIT, ZERO_COPY, xdp_features
from clickbpf.messages import show
from clickbpf.objects.made import INLET
from clickbpf.runtime.host import Runtime


def cross(runtime: Runtime, devices: Sequence[Device], choice: str) -> dict[str, str]:
    """Have the devices that have sockets send as chosen: by the ring where it works, or where it is right. The result is the way of each,
    by its own name. ClickError if a ring that was asked for can't be made, or with all devices that can't change their way; the others have
    changed theirs."""
    try:
        return choose(runtime, devices, choice)
    except ClickError as error:
        if choice != AUTO:
            raise
        show(Diagnostic(each.place, each.message, each.hint, severity="warning") for each in error.diagnostics)
    return _ways(runtime, _served(runtime, devices))


def cross_again(runtime: Runtime, devices: Sequence[Device], choice: str) -> dict[str, str]:
    """The same for a runtime that has just taken another's place, and its devices with the ways that they have: it is too late to refuse,
    so what can't be had is reported."""
    try:
        return cross(runtime, devices, choice)
    except ClickError as error:
        show(error.diagnostics)
    return _ways(runtime, _served(runtime, devices))


def takes_frames(device: Device) -> bool:
    """Whether frames that are redirected to a device leave by it, and AF_XDP would copy them."""
    features = xdp_features(device.ifindex)
    if features is None:
        return device.kind == "veth" and veth.takes_frames(device)
    return bool(features & TRANSMIT) and not features & ZERO_COPY


def is_for_ring(device: Device, choice: str) -> bool:
    """Whether a device is to send by the ring."""
    return choice != AF_XDP and (choice == RING or device.kind == "veth") and takes_frames(device)


def choose(runtime: Runtime, devices: Sequence[Device], choice: str) -> dict[str, str]:
    """The same for a runtime that runs, whose devices may have changed; ClickError, too, if the ring that is right can't be made."""
    served = _served(runtime, devices)
    wanted = [device for device in served if is_for_ring(device, choice)]
    if wanted and not runtime.has_sending:
        with explained("packets can't be sent by a ring"), sending(runtime.threads) as made:
            runtime.set_sending(made.program, made.batches)
    failures = [failure for device in served for failure in _change(runtime, device, device in wanted)]
    if runtime.has_sending and not any(runtime.has_way(device.configured) for device in served):
        runtime.end_sending()
    if failures:
        raise ClickError(failures)
    return _ways(runtime, served)


def _change(runtime: Runtime, device: Device, by_ring: bool) -> Sequence[Diagnostic]:
    """Change a device's way; the reasons why it can't be changed."""
    try:
        if runtime.has_way(device.configured) != by_ring:
            runtime.set_way(device.configured, device.ifindex if by_ring else 0)
    except ClickError as error:
        return error.diagnostics
    return ()


def _served(runtime: Runtime, devices: Sequence[Device]) -> list[Device]:
    return [device for device in devices if device.configured in runtime.sockets and device.configured != INLET]


def _ways(runtime: Runtime, served: Sequence[Device]) -> dict[str, str]:
    return {device.name: RING if runtime.has_way(device.configured) else AF_XDP for device in served}
