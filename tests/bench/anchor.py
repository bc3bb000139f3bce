"""The program written by hand that the IP router's kernel path is compared with, and the router beside it: loaded, with the same
neighbours, for test runs on packets in memory."""

from __future__ import annotations

import socket
import struct
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from pathlib import Path
from tempfile import TemporaryDirectory

from tests.bench.loaded import NONE, Loaded, Runs, link, run_names, with_runs

from clickbpf.build.bpf import build_program
from clickbpf.compile import check_file
from clickbpf.graph.check import CheckedRouter
from clickbpf.load.kernel.fds import Program
from clickbpf.load.kernel.objects import Object
from clickbpf.load.path.kernelpath import MAC_STRIDE
from clickbpf.plan import Options
from clickbpf.vocabulary.library import Library

HERE = Path(__file__).parent
ROUTER = HERE.parents[1] / "configs" / "iprouter.click"
#: Addresses of the router's devices, as its configuration has them.
MACS = (bytes.fromhex("020000000010"), bytes.fromhex("020000000110"))


class Router(Loaded):
    """The router, compiled with these options and loaded, with its runtime, which has no devices."""

    def __init__(self, undo: ExitStack, options: Options = Options(), runs: Runs = NONE, checked: CheckedRouter | None = None):
        """`checked` is the router after transformations."""
        macs = b"".join(mac.ljust(MAC_STRIDE, b"\0") for mac in MACS)
        super().__init__(undo, checked or check_file(ROUTER, Library.standard()), options, runs, {"device_mac": macs})
        self.programs = [self.program(f"eth{device}") for device in (0, 1)]

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
        text = with_runs(runs, (HERE / "handwritten.bpf.c").read_text())
        source = Path(undo.enter_context(TemporaryDirectory())) / "handwritten.bpf.c"
        source.write_text(text)
        loaded = undo.enter_context(Object(build_program(source).read_bytes(), "handwritten"))
        loaded.load()
        link(loaded.map("tx"))
        self.programs = [loaded.program(f"handwritten{device}") for device in (0, 1)]
        self.runs = {title: loaded.program(name) for name, title in run_names(runs).items()}
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


def sent(program: Program, packet: bytes) -> tuple[int, bytes]:
    """What a program makes of a packet: the verdict, and the frame."""
    done = program.test_run(packet, room=len(packet) + 512)
    return done.retval, done.data
