"""The kernel path by BPF_PROG_TEST_RUN, followed by a runtime in this process with the same state.

A packet goes through the XDP program of its device. The router is compiled with TRACING, so the program records the packet's fate in the
map `trace`: sent by a device or a set of devices (the manifest lists the set, and the loader fills its map); passed to Linux; dropped; or
handed over with its record in front. In the last case, elements that only look at packets (vocabulary/looks.py) see the packet, and then
the runtime continues with it. The program also takes simulated time from that map. Nothing is attached, and no device of this machine is
used.

Test runs refuse frames shorter than an Ethernet header or longer than the room in a page. These frames enter the runtime instead, like all
frames of a router without a kernel path.
"""

import mmap
import os
import struct
from collections.abc import Iterator, Mapping
from contextlib import ExitStack, contextmanager
from functools import lru_cache

from clickbpf.build.bpf import build_bpf, find_clang
from clickbpf.compile import Compilation
from clickbpf.errors import ClickError
from clickbpf.load.devices.diagnose import check_privileges
from clickbpf.load.kernel.fds import TestRun
from clickbpf.load.path.kernelpath import MAC_STRIDE, cpus, load_kernel
from clickbpf.objects.manifest import Manifest
from clickbpf.plan.values import ELIDED
from clickbpf.runtime.host import Runtime
from clickbpf.runtime.memory import DROPS
from clickbpf.testing.executors.memory import InProcess
from clickbpf.testing.executors.source import Source, addresses
from clickbpf.testing.record import HOST, Output
from clickbpf.vocabulary.state import PerThread

#: enum trace_verdict of bpf/tested.h.
SENT, TO_HOST, HANDED, DROPPED, COPIED = 1, 2, 3, 4, 5
_TRACE = struct.Struct("=III4xQ")
#: The next fields: the devices by which clones of the packet left, one bit each, and the length of a clone, whose bytes follow.
_CLONED = struct.Struct("=QI")
#: Shortest and longest frame that a test run accepts, in bytes: ETH_HLEN, and a page less XDP's headroom and the skb_shared_info at its
#: end.
SHORTEST, LONGEST = 14, mmap.PAGESIZE - 256 - 320
#: Bytes by which a program may lengthen a frame in a test run.
GROWTH = 512


class Bpf(InProcess):
    name = "bpf"
    #: Longest frame that a test run accepts, in bytes.
    longest = LONGEST
    #: The CPU on which the programs run; None for any.
    cpu: int | None = None

    def __init__(self, source: Source, devices: Mapping[str, str], clock: int | None = None):
        compilation = source.compile()
        macs = addresses(compilation.devices, devices)
        manifest = compilation.manifest
        defined = "#define TRACING\n" + ("" if clock is None else "#define SIMULATED_TIME\n")
        with ExitStack() as undo:
            variables = {"device_mac": b"".join(mac.ljust(MAC_STRIDE, b"\0") for mac in macs.values())}
            path = undo.enter_context(
                load_kernel(self.build(compilation, defined), manifest, threads=source.threads, variables=variables)
            )
            runtime = Runtime(
                compilation,
                memories=path.states(compilation.checked.instances),
                drops=path.view(manifest.of_role("drops")[0], DROPS),
                looks=path.looks,
                slots=cpus() + source.threads,
                first_slot=cpus(),
                threads=source.threads,
            )
            undo.callback(runtime.close)
            self._trace = path.role("trace").memory()
            self._programs = {p.device: path.programs[p.name] for p in manifest.programs if p.device in compilation.devices}
            self.kernel = path
            super().__init__(compilation, runtime, macs, clock)
            self._undo = undo.pop_all()

    def build(self, compilation: Compilation, defined: str) -> bytes:
        """The kernel path's object, compiled with the lines `defined` in front of its text."""
        return built(defined + compilation.bpf_text, compilation.manifest)

    @classmethod
    def unavailable(cls) -> str | None:
        find_clang()
        check_privileges()
        return None

    def send(self, device: str, packet: bytes) -> list[Output]:
        if device not in self._programs or not self.testable(packet):
            self.check_device(device)
            self.runtime.inject(device, packet)
            return self.collect()
        verdict, to, frame = self.run(device, packet)
        self.runtime.look()
        cloned = self._cloned()
        if verdict == HANDED:
            self.runtime.handover(frame, device)
            return [*cloned, *self.collect()]
        earlier = [*self.collect(), *cloned]  # packets of the runtime's own, and clones
        if verdict == SENT:
            return [*earlier, Output(self.compilation.devices[to], frame)]
        if verdict == COPIED:
            return [*earlier, *(Output(self.compilation.devices[device], frame) for device in self.kernel.manifest.copy_sets[to])]
        return [*earlier, Output(HOST, frame)] if verdict == TO_HOST else earlier

    @classmethod
    def testable(cls, packet: bytes) -> bool:
        """Whether a test run accepts the frame."""
        return SHORTEST <= len(packet) <= cls.longest

    def run(self, device: str, packet: bytes) -> tuple[int, int, bytes]:
        """Run only the kernel path: returns the verdict, its device (for COPIED the set of devices), and the resulting frame."""
        _CLONED.pack_into(self._trace, _TRACE.size, 0, 0)
        _TRACE.pack_into(self._trace, 0, 0, 0, 0, self.runtime.clock)
        with _on_cpu(self.cpu):
            done = self.test_run(device, packet, len(packet) + GROWTH)
        verdict, to, self.punt, _ = _TRACE.unpack_from(self._trace, 0)
        if not verdict:
            raise ClickError(f"the program of {device} ended with {done.retval} and did not report what it did")
        return verdict, to, done.data

    def _cloned(self) -> list[Output]:
        """The clones sent in the last run."""
        devices, length = _CLONED.unpack_from(self._trace, _TRACE.size)
        start = _TRACE.size + _CLONED.size
        data = bytes(self._trace[start : start + length])
        return [Output(device, data) for number, device in enumerate(self.compilation.devices) if devices >> number & 1]

    def test_run(self, device: str, packet: bytes, room: int, repeat: int = 1) -> TestRun:
        """Run the program of a device on a frame, `repeat` times; the resulting frame has at most `room` bytes."""
        return self._programs[device].test_run(packet, room=room, repeat=repeat)

    def values(self, slot: int) -> dict[str, bytes]:
        """The counts in one slot of per-thread state, including drops; a CPU's slot has the CPU's number."""
        found = {}
        for element, views in self.runtime.views.items():
            kinds = self.runtime.instances[element].state_types
            found |= {f"{element}.{name}": bytes(view[slot]) for name, view in views.items() if isinstance(kinds[name], PerThread)}
        slots = self.runtime.slots
        drops = enumerate(self.runtime.instances)
        return found | {f"{element} drops": bytes(self.runtime.drop_counts[number * slots + slot]) for number, element in drops}

    def read_handlers(self) -> list[str]:
        placements = self.compilation.plan.placements
        handlers = super().read_handlers()
        return [handler for handler in handlers if placements[handler.rpartition(".")[0]].where != ELIDED]

    def close(self) -> None:
        self._undo.close()


@contextmanager
def _on_cpu(cpu: int | None) -> Iterator[None]:
    """Run the caller on a CPU, since test runs are on the caller's CPU."""
    if cpu is None:
        yield
        return
    before = os.sched_getaffinity(0)
    os.sched_setaffinity(0, {cpu})
    try:
        yield
    finally:
        os.sched_setaffinity(0, before)


@lru_cache(maxsize=64)
def built(text: str, manifest: Manifest) -> bytes:
    """The built object; it is cached, since many tests start the same router again and again."""
    return build_bpf(text, manifest).read_bytes()
