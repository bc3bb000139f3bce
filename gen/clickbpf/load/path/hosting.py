"""Connects a runtime to a loaded kernel path: to its state, and to the packets that it hands over."""

import errno
import os
import time
from collections.abc import Sequence
from contextlib import suppress
from socket import MSG_DONTWAIT, SOCK_RAW, socket

from clickbpf.compile import Compilation
from clickbpf.errors import ClickError
from clickbpf.load.devices.devices import Device
from clickbpf.load.devices.diagnose import Used, explain_socket
from clickbpf.load.devices.frags import receives_in_parts
from clickbpf.load.devices.tohost import MARK, SNIFFERS_MARK, linux_end
from clickbpf.load.kernel.libbpf import BpfError
from clickbpf.load.path.kernelpath import KernelPath, cpus
from clickbpf.objects.hooks import TC
from clickbpf.objects.made import INLET
from clickbpf.objects.manifest import QUEUES_PER_DEVICE, Manifest
from clickbpf.runtime.host import Runtime
from clickbpf.runtime.library import HOST, SNIFFERS, WIRE
from clickbpf.runtime.memory import DROPS

#: Seconds for which a closed socket may still occupy its queue, and between two attempts.
PATIENCE, GLANCE = 1.0, 0.02
#: The address family of these sockets, which Python doesn't know.
AF_XDP = 44
#: SO_MARK of packets that programs treat like others.
UNMARKED = 0


def runtime_on(compilation: Compilation, path: KernelPath, threads: int, replaces: Runtime | None = None) -> Runtime:
    """A runtime that uses the state of a kernel path, without devices."""
    return Runtime(
        compilation,
        memories=path.states(compilation.checked.instances),
        drops=path.view(path.manifest.of_role("drops")[0], DROPS),
        handed=path.memory(path.manifest.of_role("handed")[0].name)[0],
        looks=path.looks,
        slots=cpus() + threads,
        first_slot=cpus(),
        threads=threads,
        replaces=replaces,
        soon=replaces is None,
    )


def add_device(runtime: Runtime, path: KernelPath, index: int, device: Device, sockets: Sequence[int] = ()) -> None:
    """Open the sockets of a device, as far as the router needs them: an AF_XDP socket on every queue, for handovers and for sending, unless
    it takes over another router's `sockets`; where AF_XDP is impossible, a packet socket for sending; and one for packets to Linux."""
    if device.configured != INLET:
        runtime.set_address(device.configured, device.mac)
    if device.l3:
        runtime.set_l3(device.configured)
    if sockets:
        show_sockets(path, index, device, sockets)
    elif device.configured in _wired(runtime, path.manifest):
        _open_wire(runtime, path, index, device)
    if device.configured in path.manifest.tohost_devices:
        runtime.add_host(device.configured, HOST, device.ifindex, MARK)
    if device.configured in path.manifest.sniffed_devices:
        linux = linux_end(device, {each.device for each in path.manifest.made})
        runtime.add_host(device.configured, SNIFFERS, linux.ifindex, SNIFFERS_MARK)


def _open_wire(runtime: Runtime, path: KernelPath, index: int, device: Device) -> None:
    if device.l3 or not _open_sockets(runtime, path, device):
        runtime.add_host(device.configured, WIRE, device.ifindex, UNMARKED)
    else:
        show_sockets(path, index, device, runtime.sockets[device.configured])


def _open_sockets(runtime: Runtime, path: KernelPath, device: Device) -> bool:
    """Open a socket on every queue. False if another router occupies them and this one, on TC, doesn't need them to receive."""
    try:
        for queue in range(min(device.queues, QUEUES_PER_DEVICE)):
            _open_socket(runtime, device, queue)
    except Used:
        if path.manifest.hook != TC or device.configured == INLET or runtime.sockets.get(device.configured):
            raise
        return False
    return True


def _open_socket(runtime: Runtime, device: Device, queue: int) -> None:
    """Open the socket of a queue. A socket that was just closed occupies its queue until the kernel has released it."""
    last = time.monotonic() + PATIENCE
    while True:
        try:
            home = runtime.tasks.home_of_device(device.configured)
            runtime.add_xsk(device.configured, device.name, queue, home, receives_in_parts(device))
            return
        except ClickError as error:
            explained = explain_socket(error, device)
            busy = isinstance(error.__cause__, OSError) and error.__cause__.errno == errno.EBUSY
            if not busy or isinstance(explained, Used) or time.monotonic() > last:
                raise explained from None
        time.sleep(GLANCE)


def _wired(runtime: Runtime, manifest: Manifest) -> set[str | None]:
    """The devices that need AF_XDP sockets: those that the router sends by, those that it created, and on XDP those that it receives from.
    On TC, packets are handed over by the sockets of the inlet, which the router created."""
    elements = runtime.checked.instances.values()
    sending = {each.sends_to() for each in elements} | {each.device for each in manifest.made}
    return sending if manifest.hook == TC else sending | {each.receives_from() for each in elements}


def has_left(runtime: Runtime, device: Device) -> bool:
    """Whether a device has left the network namespace since its AF_XDP sockets were opened. Those then do nothing any more, and maps of
    devices have lost it, even if it has come back."""
    for each in runtime.sockets.get(device.configured, ()):
        with socket(AF_XDP, SOCK_RAW, fileno=os.dup(each)) as opened:
            try:
                opened.recv(1, MSG_DONTWAIT)  # takes nothing: packets are in a ring
            except OSError as error:
                if error.errno == errno.ENXIO:
                    return True
    return False


def hide_sockets(path: KernelPath, index: int, sockets: Sequence[int]) -> None:
    """Have the kernel path drop and count packets that it would hand over by these sockets."""
    with suppress(BpfError):  # the map may belong to another router, without these sockets
        for queue in range(len(sockets)):
            path.role("xsk").delete(index * QUEUES_PER_DEVICE + queue)


def show_sockets(path: KernelPath, index: int, device: Device, sockets: Sequence[int]) -> None:
    """Have the kernel path hand packets over by a device's sockets, one for each of its queues."""
    for queue, each in enumerate(sockets):
        path.role("xsk").update(index * QUEUES_PER_DEVICE + queue, each)
    if sockets and device.name in path.spreads:
        path.spreads[device.name].show_socket(sockets[0])
