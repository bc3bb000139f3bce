"""The number of devices' receive queues, and the CPUs that their interrupts run on, where `load` was asked to set them."""

from collections.abc import Iterator

from clickbpf.errors import ClickError
from clickbpf.load.devices.devices import Device
from clickbpf.load.devices.lanes import online
from clickbpf.load.devices.need import Asked, Need, Wanted, entered
from clickbpf.load.devices.settings import INTERRUPT, QUEUES, Peer, current, interrupts_of, most_queues


class Channels(Need):
    """A number of receive queues (--queues), and CPUs for interrupts (--interrupts)."""

    def check(self, request: Asked) -> None:
        for device in entered(request) if request.queues is not None else ():
            if request.queues > (most := most_queues(device.name)):
                hint = f"--queues {most}, or fewer" if most else "leave out --queues"
                raise ClickError(f"--queues: {device} can have {most or 'no other number of'} receive queues", hint=hint)
        online("--interrupts", request.interrupts)

    def lacking(self, request: Asked) -> Iterator[str]:
        for device in entered(request) if request.interrupts else ():
            if not interrupts_of(device.name):
                yield f"{device} has no interrupts of its own: --interrupts does not place it"

    def wanted(self, request: Asked, device: Device, mode: str) -> Iterator[Wanted]:
        if device not in entered(request):
            return
        settings = {} if request.queues is None else {QUEUES: request.queues}
        if request.interrupts:
            numbers = interrupts_of(device.name)
            settings |= {f"{INTERRUPT}{n}": str(request.interrupts[k % len(request.interrupts)]) for k, n in enumerate(numbers)}
        if changed := {name: value for name, value in settings.items() if current(device.name, name) != value}:
            yield Wanted(device, Peer(device.name, device.ifindex), changed)
