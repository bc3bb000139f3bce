"""A router loaded in a namespace of its own, with a veth pair on each device, and raw sockets that watch them."""

import itertools
import os
import re
import signal
import subprocess
import tempfile
import time
from collections.abc import Iterable, Mapping
from contextlib import ExitStack
from pathlib import Path

from clickbpf.closing import Closing
from clickbpf.compile import Compilation, check_file
from clickbpf.errors import ClickError
from clickbpf.graph.elaborate import read_file
from clickbpf.load.access.access import Access
from clickbpf.load.files.places import RunFolder
from clickbpf.load.files.process import own_environment
from clickbpf.load.process.service import alive
from clickbpf.plan import Options
from clickbpf.plan.values import ELIDED, USER
from clickbpf.testing.executors.atwork import at_work
from clickbpf.testing.netns import CLICKBPF, Network
from clickbpf.testing.record import HOST, Output
from clickbpf.testing.traffic import RawPort
from clickbpf.vocabulary.element import Element
from clickbpf.vocabulary.library import Library
from clickbpf.vocabulary.roles import DeviceMaker, HostEnd
from clickbpf.waiting import readable

#: Seconds until the next packet is sent if the router never becomes quiet; and seconds without a packet or a working thread, twice in a
#: row, after which the router is considered quiet.
RESTLESS, STILL = 0.2, 0.002
#: The EtherTypes of frames to watch for when they reach Linux: IPv4, ARP, IPv6.
TYPES = (0x0800, 0x0806, 0x86DD)
#: An address for each device, for configurations with `eth0:ip`. Linux gets no route for it, and so sends nothing by itself.
ADDRESS = "10.{}.0.1/24"
#: The runtime's messages about packets that the kernel path only counts.
UNTOLD = re.compile(
    r" header check failed: |: no route for |: fragment or short packet$|: bad lengths$|: bad input packet$|: IP checksum failed$"
    r"|^IPFragmenter\("
)
#: The log's lines about the runtime itself.
STATES = ("running", "the runtime died")
#: The longest name of a device: IFNAMSIZ less the terminating zero.
LONGEST = 15

_numbers = itertools.count(1)


class Stage(Closing):
    """`devices` are the configuration's, in order; `entries` are those on which packets arrive, with their Ethernet addresses."""

    def __init__(self, configuration: Path, options: Iterable[str], variables: Mapping[str, str]):
        self.name = f"live{os.getpid()}-{next(_numbers)}"
        self._ports: dict[int, tuple[RawPort, str]] = {}
        self._into: dict[str, RawPort] = {}
        self._names: dict[str, str] = {}
        with ExitStack() as undo:
            network = undo.enter_context(Network())
            self._folder = undo.enter_context(tempfile.TemporaryDirectory(prefix="clickbpf-"))
            self.inside, self._outside = network.namespace("router"), network.namespace("wires")
            self._network = network
            self.inside.sysctl("net.ipv4.conf.all.arp_ignore", "8")
            for device in _candidates(configuration, variables):
                self._wire(device)
            self.compilation = self.inside.call(_compiled, configuration, variables, self._names)
            made = {each.device for each in self.compilation.plan.made}
            self.devices = self.compilation.devices
            for device in self.devices:
                if device not in made and device not in self._names:
                    self._wire(device)
            renamed = {device: name for device, name in self._names.items() if device != name and device in self.devices}
            words = [f"{name}={value}" for name, value in {**variables, **renamed}.items()]
            self.arguments = ["-n", self.name, *options, str(configuration.absolute()), *words]
            self.clickbpf("load", *self.arguments)
            undo.callback(self.clickbpf, "unload", self.name)
            for device in self.devices:
                self._watch(undo, device, device in made)
            mac = {device: self.inside.mac(self._names.get(device, device)) for device in self._entries()}
            self.entries = {device: bytes.fromhex(text.replace(":", "")) for device, text in mac.items()}
            self.access = Access(self.name)
            self._undo = undo.pop_all()

    def _entries(self) -> list[str]:
        programs = self.compilation.plan.programs
        return [device for device in self.devices if device in self._into and any(each.device == device for each in programs)]

    @property
    def compared(self) -> list[str]:
        """The elements that have the same handlers with a kernel path and without one: all but Queues replaced by a transmit ring."""
        placements = self.compilation.plan.placements
        return [name for name in self.compilation.checked.instances if placements[name].where != ELIDED]

    @property
    def in_kernel(self) -> list[str]:
        """The compared elements that run in the kernel; their state outlives the runtime."""
        placements = self.compilation.plan.placements
        return [name for name in self.compared if placements[name].where not in (USER, ELIDED)]

    # -- the place --------------------------------------------------------------------------------------------------

    def _wire(self, device: str) -> None:
        number = len(self._names) + 1
        name = device if re.fullmatch(r"[\w.-]+", device) and len(device) <= LONGEST else f"wire{number}"
        self._names[device] = name
        macs = tuple(f"02:00:00:00:{side:02x}:{number:02x}" for side in (0, 0x0F))
        self._network.veth(self.inside, name, self._outside, name, macs=macs)
        self.inside.address(name, ADDRESS.format(200 + number))
        self.inside.ip("route", "flush", "dev", name)

    def _watch(self, undo: ExitStack, device: str, made: bool) -> None:
        """Watch the packets that the router sends by a device, and those it leaves to Linux there. If the router makes the device itself,
        Linux's end takes the part of the wire."""
        if made:
            self._into[device] = self._port(undo, RawPort(self.inside, device), device)
            return
        name = self._names[device]
        self._into[device] = self._port(undo, RawPort(self._outside, name), device)
        for protocol in TYPES:
            self._port(undo, RawPort(self.inside, name, protocol), f"{HOST} {device}")

    def _port(self, undo: ExitStack, port: RawPort, said: str) -> RawPort:
        self._ports[port.fileno()] = undo.enter_context(port), said
        return port

    # -- the router -------------------------------------------------------------------------------------------------

    def clickbpf(self, *arguments: str) -> str:
        return self.inside.clickbpf(*arguments, cwd=self._folder)

    def kill(self) -> None:
        """End the router's runtime as a crash would."""
        process = alive(RunFolder.of(self.name))
        if process is None:
            raise ClickError(f"{self.name} has no process")
        os.kill(process, signal.SIGKILL)
        while alive(RunFolder.of(self.name)) is not None:
            time.sleep(0.01)

    def trace(self) -> None:
        """Have all packets traced, as soon as the tracing kernel path is built."""
        command = (*CLICKBPF, "trace", "--json", self.name)
        self.inside.popen(*command, env=own_environment(), stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)

    def reopen(self) -> None:
        """Connect to the router again, whose process may have been replaced."""
        self.access.close()
        self.access = Access(self.name)

    @property
    def is_alive(self) -> bool:
        return alive(RunFolder.of(self.name)) is not None

    def log(self) -> list[str]:
        """The runtime's messages, without the times."""
        lines = RunFolder.of(self.name).log.read_text(errors="replace").splitlines()
        said = (line.partition(" ")[2] for line in lines)
        return [line for line in said if not UNTOLD.search(line) and not line.startswith(STATES)]

    # -- packets ----------------------------------------------------------------------------------------------------

    def send(self, device: str, frame: bytes) -> list[Output]:
        """Have a frame arrive on a device; returns the packets that leave until the router is quiet."""
        self._into[device].send(frame)
        return self.rest()

    def rest(self, least: float = 0.0) -> list[Output]:
        """The packets that leave until the router is quiet, but for at least this many seconds."""
        found: list[Output] = []
        begin, still = time.monotonic(), 0
        process = alive(RunFolder.of(self.name))
        while still < 2 and time.monotonic() < begin + max(least, RESTLESS):
            ready = readable(self._ports, STILL)
            for descriptor in ready:
                port, said = self._ports[descriptor]
                while (frame := port.receive()) is not None:
                    found.append(Output(said, frame))
            busy = ready or at_work(process) or time.monotonic() < begin + least
            still = 0 if busy else still + 1
        return found

    def close(self) -> None:
        self.access.close()
        self._undo.close()


def _candidates(configuration: Path, variables: Mapping[str, str]) -> list[str]:
    """The devices of a configuration, without those that its elements make: the first arguments of elements whose classes have devices. The
    router can't be checked before they exist, since its arguments may be their addresses."""
    library = Library.standard()
    found, made = [], set()
    for element in read_file(configuration, library, variables).elements:
        class_ = library.find(element.class_name)
        words = [text.split()[-1] for text, _ in element.args()[:1] if text.split()]
        if class_ is not None and issubclass(class_, DeviceMaker):
            made.update(words)
        elif class_ is not None and _has_device(class_):
            found += words
    return [device for device in dict.fromkeys(found) if device not in made and re.fullmatch(r"[!-~]+", device)]


def _has_device(class_: type[Element]) -> bool:
    return issubclass(class_, HostEnd) or any(getattr(class_, hook) is not getattr(Element, hook) for hook in ("receives_from", "sends_to"))


def _compiled(configuration: Path, variables: Mapping[str, str], devices: Mapping[str, str]) -> Compilation:
    standing = {conf: name for conf, name in devices.items() if conf != name}
    return Compilation(check_file(configuration, Library.standard(), variables, devices=standing), Options())
