"""The program written by hand that the IP router's kernel path is compared with, and the router beside it: loaded, with the same
neighbours, for test runs on packets in memory."""

from __future__ import annotations

import socket
import struct
from collections.abc import Callable, Iterator, Mapping
from contextlib import ExitStack, contextmanager
from dataclasses import replace
from pathlib import Path
from tempfile import TemporaryDirectory
from types import MappingProxyType

from clickbpf.build.bpf import build_bpf, build_program
from clickbpf.compile import Compilation, check_file
from clickbpf.load.kernel.fds import Program
from clickbpf.load.kernel.objects import Object
from clickbpf.load.path.kernelpath import MAC_STRIDE, KernelPath, cpus, load_kernel
from clickbpf.objects.hooks import XDP
from clickbpf.objects.manifest import ProgramEntry
from clickbpf.plan import Options
from clickbpf.runtime.host import Runtime
from clickbpf.vocabulary.library import Library

HERE = Path(__file__).parent
ROUTER = HERE.parents[1] / "configs" / "iprouter.click"
#: Addresses of the router's devices, as its configuration has them.
MACS = (bytes.fromhex("020000000010"), bytes.fromhex("020000000110"))
LOOPBACK = 1
#: Further programs: title -> what adds it to a C text under a name.
Runs = Mapping[str, Callable[[str, str], str]]
NONE: Runs = MappingProxyType({})
#: What test runs return.
DROP, PASS, REDIRECT = 1, 2, 4


class Router:
    """The router, compiled with these options and loaded, with its runtime, which has no devices."""

    def __init__(self, undo: ExitStack, options: Options = Options(), runs: Runs = NONE):
        compilation = Compilation(check_file(ROUTER, Library.standard()), options)
        text, manifest = _with(runs, compilation.bpf_text), compilation.manifest
        manifest = replace(manifest, programs=(*manifest.programs, *(ProgramEntry(name, XDP) for name in _names(runs))))
        macs = b"".join(mac.ljust(MAC_STRIDE, b"\0") for mac in MACS)
        self.path: KernelPath = undo.enter_context(
            load_kernel(build_bpf(text, manifest).read_bytes(), manifest, variables={"device_mac": macs})
        )
        _link(self.path.role("tx"))
        states = self.path.states(compilation.checked.instances)
        self.runtime = undo.enter_context(Runtime(compilation, memories=states, slots=self.path.slots, first_slot=cpus()))
        self.programs = [self.path.programs[f"xdp_eth{device}"] for device in (0, 1)]
        self.runs = {title: self.path.programs[name] for name, title in _names(runs).items()}

    def know(self, device: int, address: str, mac: str) -> None:
        """Have an entry in a querier's ARP table, or in an IP6NDSolicitor's."""
        querier = "nd" if ":" in address else "arpq"
        self.runtime.handlers.write(f"{querier}{device}", "insert", f"{address} {mac}")

    def counts(self) -> list[int]:
        """Packets received from and sent to each device."""
        return [int(self.runtime.handlers.read(f"{kind}{device}", "count")) for kind in ("in", "todev") for device in (0, 1)]


class Handwritten:
    """The program written by hand: one for each device."""

    def __init__(self, undo: ExitStack, runs: Runs = NONE):
        text = _with(runs, (HERE / "handwritten.bpf.c").read_text())
        source = Path(undo.enter_context(TemporaryDirectory())) / "handwritten.bpf.c"
        source.write_text(text)
        loaded = undo.enter_context(Object(build_program(source).read_bytes(), "handwritten"))
        loaded.load()
        _link(loaded.map("tx"))
        self.programs = [loaded.program(f"handwritten{device}") for device in (0, 1)]
        self.runs = {title: loaded.program(name) for name, title in _names(runs).items()}
        self._memory = loaded.map(next(name for name in loaded.maps if name.endswith(".bss"))).memory()
        self._places = loaded.variables(".bss")

    def know(self, device: int, address: str, mac: str) -> None:
        """Have a neighbour; no host asks for neighbours that the router reaches by other devices. IPv6 is left to others."""
        if ":" in address:
            return
        ip = socket.inet_aton(address)
        if ip[:3] == bytes((10, 0, device)) and ip[3] not in (1, 255):
            start, _ = self._places[f"neighbours{device}"]
            struct.pack_into("8s", self._memory, start + 8 * ip[3], bytes.fromhex(mac.replace(":", "")) + MACS[device][:2])

    def counts(self) -> list[int]:
        start, size = self._places["counts"]
        rows = struct.iter_unpack("=4Q32x", self._memory[start : start + size])
        forwarded0, forwarded1, passed0, passed1 = (sum(column) for column in zip(*rows, strict=True))
        return [forwarded0 + passed0, forwarded1 + passed1, forwarded1, forwarded0]


@contextmanager
def both(options: Options = Options()) -> Iterator[tuple[Router, Handwritten]]:
    with ExitStack() as undo:
        yield Router(undo, options), Handwritten(undo)


def _names(runs: Runs) -> dict[str, str]:
    """C names of further programs."""
    return {f"run{number}": title for number, title in enumerate(runs)}


def _with(runs: Runs, text: str) -> str:
    for name, title in _names(runs).items():
        text = runs[title](text, name)
    return text


def _link(devices) -> None:
    for device in (0, 1):
        devices.update(struct.pack("=I", device), struct.pack("=I", LOOPBACK))


def sent(program: Program, packet: bytes) -> tuple[int, bytes]:
    """What a program makes of a packet: the verdict, and the frame."""
    done = program.test_run(packet, room=len(packet) + 512)
    return done.retval, done.data
