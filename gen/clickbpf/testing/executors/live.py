"""The router loaded as users load it, in a network namespace of its own, with real packets on real (veth) devices.

Each device of the configuration is one end of a veth pair; the other end has a raw socket, in a second namespace or, if the router makes
the device, in the router's own. A raw socket on the device itself sees packets for Linux. A packet's outputs are all frames that arrive
until no more have come for a while and no thread is working, so live tests are slow: a tenth of a second for each packet, and a second or
two for loading.

Frames must have the size that a device accepts: from an Ethernet header to 1514 bytes.
"""

import itertools
import os
import time
from collections.abc import Mapping
from contextlib import ExitStack

from clickbpf.errors import ClickError
from clickbpf.load.access.access import Access
from clickbpf.load.files.places import RunFolder
from clickbpf.load.process.service import alive
from clickbpf.observe import dropcounts
from clickbpf.plan.values import ELIDED
from clickbpf.testing import netns
from clickbpf.testing.executors.atwork import at_work
from clickbpf.testing.executors.base import Drops, Executor
from clickbpf.testing.executors.bpf import Bpf
from clickbpf.testing.executors.source import Source, addresses
from clickbpf.testing.netns import Network
from clickbpf.testing.record import ELEMENTS, HOST, Output
from clickbpf.testing.traffic import RawPort
from clickbpf.waiting import readable

#: Seconds without a packet after which no more are expected; seconds for threads that are still working; and seconds after which a router
#: that keeps sending is given up.
QUIET, WORK, PATIENCE = 0.1, 2.0, 5.0

_numbers = itertools.count(1)


class Live(Executor):
    name = "live"
    lengths = (14, 1514)

    def __init__(self, source: Source, devices: Mapping[str, str], clock: int | None = None):
        if clock is not None:
            raise ClickError("a live router runs in real time")
        compilation = source.compile()
        self.devices = compilation.devices
        self.entries = tuple(p.device for p in compilation.plan.programs if p.device is not None)
        self.elements = tuple(compilation.checked.instances)
        self._elided = {name for name, place in compilation.plan.placements.items() if place.where == ELIDED}
        self._router = f"test{os.getpid()}-{next(_numbers)}"
        with ExitStack() as undo:
            network = undo.enter_context(Network())
            self.inside, outside = network.namespace("router"), network.namespace("wires")
            self._wires: dict[str, RawPort] = {}
            self._host: dict[str, RawPort] = {}
            made = {each.device for each in compilation.plan.made}
            for device, mac in addresses(self.devices, devices).items():
                if device in made:
                    continue
                network.veth(self.inside, device, outside, device)
                self.inside.ip("link", "set", device, "address", mac.hex(":"))
                self._wires[device] = undo.enter_context(RawPort(outside, device))
            self.inside.clickbpf("load", "-n", self._router, *_arguments(source))
            undo.callback(self.inside.clickbpf, "unload", self._router)
            for device in self.devices:
                ports = self._wires if device in made else self._host
                ports[device] = undo.enter_context(RawPort(self.inside, device))
            self._access = Access(self._router)
            self._undo = undo.pop_all()

    @classmethod
    def unavailable(cls) -> str | None:
        return Bpf.unavailable() or netns.available()

    # -- packets ----------------------------------------------------------------------------------------------------

    def send(self, device: str, packet: bytes) -> list[Output]:
        self._port(self._wires, device, packet).send(packet)
        return self._collect()

    def _port(self, ports: Mapping[str, RawPort], device: str, packet: bytes) -> RawPort:
        if device not in ports:
            raise ClickError(f"the router has no device {device}", hint=f"its devices are {', '.join(self.devices)}")
        shortest, longest = self.lengths
        if not shortest <= len(packet) <= longest:
            raise ClickError(f"a device takes no frame of {len(packet)} bytes, only {shortest} to {longest}")
        return ports[device]

    def _collect(self) -> list[Output]:
        """All packets that arrive until the router is quiet. The socket on a device also sees each packet that enters it, unless the router
        takes that."""
        sources = {port: device for device, port in self._wires.items()} | dict.fromkeys(self._host.values(), HOST)
        found: list[Output] = []
        begin = time.monotonic()
        while (ready := readable((port.fileno() for port in sources), QUIET)) or self._at_work_since(begin):
            if time.monotonic() > begin + PATIENCE:
                raise ClickError(f"the router has not stopped sending for {PATIENCE:g} seconds")
            for port in (port for port in sources if port.fileno() in ready):
                while (frame := port.receive()) is not None:
                    found.append(Output(sources[port], frame))
        return found

    def _at_work_since(self, begin: float) -> bool:
        """Whether more packets may come: on a busy machine, threads that have packets may be waiting for a CPU."""
        return time.monotonic() < begin + WORK and at_work(alive(RunFolder.of(self._router)))

    # -- handlers ---------------------------------------------------------------------------------------------------

    def read(self, handler: str) -> str:
        return self._access.read(handler)

    def write(self, handler: str, value: str = "") -> list[Output]:
        self._access.write(handler, value)
        return self._collect()

    def read_handlers(self) -> list[str]:
        return self._access.values([name for name in self.elements if name not in self._elided])

    def drops(self) -> Drops:
        return dropcounts.counts(self._access, list(self.elements))

    # -- its life ---------------------------------------------------------------------------------------------------

    def close(self) -> None:
        self._undo.close()


def _arguments(source: Source) -> list[str]:
    """The equivalent options of `clickbpf load`."""
    words = [word for folder in (*source.library, str(ELEMENTS)) for word in ("-E", folder)]
    options = dict(source.options)
    words += ["--no-kernel"] if not options.pop("kernel", True) else []
    words += ["--threads", str(source.threads)]
    words += [f"--{name}" for name in ("chain", "frags") if options.pop(name, False)]
    words += [word for element in sorted(options.pop("user", ())) for word in ("--user", element)]
    words += [word for name, value in options.items() for word in (f"--{name.replace('_', '-')}", str(value))]
    words += ["-f", str(source.file)] if source.file else ["-e", str(source.configuration)]
    return [*words, *(f"{name}={value}" for name, value in source.variables)]
