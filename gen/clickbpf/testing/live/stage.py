"""A router loaded in a namespace of its own, with a wire on each of its devices, and somebody who watches all of them."""

import itertools
import os
import re
import signal
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterable, Mapping
from contextlib import ExitStack
from pathlib import Path

from clickbpf.closing import Closing
from clickbpf.compile import Compilation, check_file, read_file
from clickbpf.errors import ClickError
from clickbpf.load.access.access import Access
from clickbpf.load.files.places import RunFolder
from clickbpf.load.files.process import own_environment
from clickbpf.load.process.service import alive
from clickbpf.plan import Options
from clickbpf.plan.values import ELIDED, USER
from clickbpf.testing.executors.atwork import at_work
from clickbpf.testing.netns import Network
from clickbpf.testing.record import HOST, Output
from clickbpf.testing.traffic import RawPort
from clickbpf.vocabulary.element import Element
from clickbpf.vocabulary.library import Library
from clickbpf.vocabulary.roles import DeviceMaker, HostEnd
from clickbpf.waiting import readable

#: Seconds that loading may take, including compilation; that a packet has until the next one is sent, if the router never rests; and
#: without a packet or a thread at work, twice in turn, after which the router rests.
LOADING, RESTLESS, STILL = 180.0, 0.2, 0.002
#: The types of the frames that are seen when they reach Linux: IPv4, ARP, IPv6.
TYPES = (0x0800, 0x0806, 0x86DD)
#: An address for each device, which a configuration may name as `eth0:ip`. Linux has no route by it, so that it is silent.
ADDRESS = "10.{}.0.1/24"
#: What the runtime prints about packets that the kernel path counts without a word.
UNTOLD = re.compile(
    r" header check failed: |: no route for |: fragment or short packet$|: bad lengths$|: bad input packet$|: IP checksum failed$"
    r"|^IPFragmenter\("
)
#: What the log says about the runtime itself.
STATES = ("running", "the runtime died")
#: The longest name of a device (IFNAMSIZ, less the zero at its end).
LONGEST = 15

_numbers = itertools.count(1)


class Stage(Closing):
    """`devices` are the configuration's, in order; `entries` those that packets arrive on, with their Ethernet addresses."""

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
            self.entries = {device: self._mac(device) for device in self._entries()}
            self.access = Access(self.name)
            self._undo = undo.pop_all()

    def _entries(self) -> list[str]:
        programs = self.compilation.plan.programs
        return [device for device in self.devices if device in self._into and any(each.device == device for each in programs)]

    def _mac(self, device: str) -> bytes:
        return bytes.fromhex(self.inside.mac(self._names.get(device, device)).replace(":", ""))

    @property
    def compared(self) -> list[str]:
        """The elements whose handlers are the same with a kernel path and without: not Queues in whose place it uses a transmit ring."""
        placements = self.compilation.plan.placements
        return [name for name in self.compilation.checked.instances if placements[name].where != ELIDED]

    @property
    def in_kernel(self) -> list[str]:
        """Those of them that run in the kernel, whose state outlives the runtime."""
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
        """What the router sends by a device, and what it leaves to Linux there. Linux's end of a device that the router makes is the
        other end of a wire."""
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
        command = (sys.executable, "-m", "clickbpf.cli.main", *arguments)
        return self.inside.run(*command, timeout=LOADING, env=own_environment(), cwd=self._folder).stdout

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
        command = (sys.executable, "-m", "clickbpf.cli.main", "trace", "--json", self.name)
        self.inside.popen(*command, env=own_environment(), stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)

    def reopen(self) -> None:
        """Talk to the router's process, which may be another one."""
        self.access.close()
        self.access = Access(self.name)

    @property
    def is_alive(self) -> bool:
        return alive(RunFolder.of(self.name)) is not None

    def log(self) -> list[str]:
        """What the runtime has printed, without the times."""
        lines = RunFolder.of(self.name).log.read_text(errors="replace").splitlines()
        said = (line.partition(" ")[2] for line in lines)
        return [line for line in said if not UNTOLD.search(line) and not line.startswith(STATES)]

    # -- packets ----------------------------------------------------------------------------------------------------

    def send(self, device: str, frame: bytes) -> list[Output]:
        """A frame arrives on a device: all that leaves until the router rests."""
        self._into[device].send(frame)
        return self.rest()

    def rest(self, least: float = 0.0) -> list[Output]:
        """All that leaves the router until it has nothing to do any more, and for this many seconds."""
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
    """The first arguments of elements whose classes have devices, before the router can be checked: its arguments may be addresses of
    these devices. Those that elements make are none."""
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
