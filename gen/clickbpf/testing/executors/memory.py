"""The base of executors within this process: the runtime with devices in memory."""

from itertools import product

from clickbpf.compile import Compilation
from clickbpf.errors import ClickError
from clickbpf.runtime.host import Runtime
from clickbpf.runtime.library import SIDES, WIRE
from clickbpf.testing.executors.base import Drops, Executor
from clickbpf.testing.record import Output


class InProcess(Executor):
    """An executor around a `Runtime` with devices that keep the packets sent to them."""

    def __init__(self, compilation: Compilation, runtime: Runtime, macs: dict[str, bytes], clock: int | None):
        self.compilation, self.runtime = compilation, runtime
        self.devices, self.elements = compilation.devices, tuple(runtime.instances)
        read = {e.receives_from() for e in runtime.instances.values()}
        self.entries = tuple(device for device in self.devices if device in read)
        runtime.add_memory_devices()
        if clock is not None:
            runtime.set_clock(clock)
            runtime.seed(1)  # with the clock and random numbers fixed, two runtimes with the same input do the same
        for device, mac in macs.items():
            runtime.set_address(device, mac)
        runtime.initialise()
        runtime.settle()

    def check_device(self, device: str) -> None:
        if device not in self.devices:
            raise ClickError(f"the router has no device {device}", hint=f"its devices are {', '.join(self.devices)}")

    def collect(self) -> list[Output]:
        """The packets that the runtime has sent since the last call."""
        found: list[Output] = []
        left = self.runtime.uncollected  # usually one, so that not every device has to be asked
        for side, device in product(SIDES, self.devices):
            if not left:
                break
            sent = self.runtime.collect(device, side)
            found += [Output(device if side == WIRE else side, data) for data in sent]
            left -= len(sent)
        return found

    # -- handlers ---------------------------------------------------------------------------------------------------

    def read(self, handler: str) -> str:
        with self.runtime.locked():
            return self.runtime.handlers.read(*self.runtime.handlers.split(handler))

    def write(self, handler: str, value: str = "") -> list[Output]:
        self.runtime.handlers.write(*self.runtime.handlers.split(handler), value)
        self.runtime.settle()
        return self.collect()

    def read_handlers(self) -> list[str]:
        return [
            f"{element}.{name}"
            for element in self.runtime.instances
            for name, bound in self.runtime.handlers.of(element).items()
            if bound.read and not bound.takes_argument
        ]

    def advance(self, seconds: float) -> list[Output]:
        self.runtime.advance(round(seconds * 1e9))
        return self.collect()

    def drops(self) -> Drops:
        if not self.runtime.has_dropped():  # asked before each packet
            return {}
        return {(name, reason): count for name in self.runtime.instances for reason, count in self.runtime.drops(name).items()}

    def close(self) -> None:
        self.runtime.close()
