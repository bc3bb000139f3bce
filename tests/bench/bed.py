"""Where live rates are measured: a host that generates frames, a router's devices, and a host that counts what arrives.

The generator makes one frame again and again by live test runs, in a process of its own on the first CPU. What it sends is received on
that CPU too: generator, crossings of veth pairs and whatever XDP or Linux does then take turns there. Or, with its programs named
`_apart`, frames are received on the last CPU, by way of a queue like a network card's, which drops what it has no room for: the
generator doesn't slow down then when the router does.

Frames are counted by the program that receives them, and seconds are those between two readings of its counter. The kernel's counters of
the devices say the same, and so does the generator's own: no frame is sent or counted twice. A rate is as much as the CPU time is that
the generator gets: half of the time, where other processes or other machines on the same host want the rest, is half the rate, of bare
redirects and of Linux alike. Nanoseconds of test runs don't show that, since the least of many runs counts. So rates of two days may
differ by a factor while those times agree. Rates for each second of the generator's CPU time agree within a tenth; `share` is
what a generator had of its CPU.
"""

from __future__ import annotations

import os
import signal
import struct
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager
from pathlib import Path

from tests.bench.kernel import packet

from clickbpf.build.bpf import build_program
from clickbpf.load.devices.links import attach_xdp
from clickbpf.load.kernel.objects import Object
from clickbpf.testing.netns import Network

GENERATOR = Path(__file__).with_name("generator.bpf.c")
LIVE_FRAMES = 1 << 1
#: The generator's CPU, and the other one.
FIRST, LAST = (choose(os.sched_getaffinity(0)) for choose in (min, max))
#: Seconds until traffic is steady, and after which none will come.
SETTLED, PATIENCE = 0.3, 30
#: Frames that the queue between CPUs has room for; a network card has about as many.
QUEUE = 1024
#: Ranges of each power of two of the histogram (generator.bpf.c).
PARTS = 16
#: The router's devices, and their other ends in the sink, of which the first one counts.
ENDS = {f"eth{number}": f"in{number}" for number in range(1, 5)}


class Bed:
    """The namespaces, with a device `eth0` of the router, to which frames of so many flows come, and `eth1` to `eth4` by which they
    leave."""

    def __init__(self, undo: ExitStack, sink: str = "sink", flows: int = 1):
        network = undo.enter_context(Network())
        self.source, self.router, self.sink = (network.namespace(label) for label in ("source", "router", "sink"))
        network.veth(self.source, "out", self.router, "eth0")
        for device, end in ENDS.items():
            network.veth(self.router, device, self.sink, end)
        for namespace, devices in ((self.source, ["out"]), (self.router, ["eth0", *ENDS]), (self.sink, ENDS.values())):
            for device in devices:
                namespace.offload(device, tx=False, gro=True)
        self.share = 0.0
        self._programs = undo.enter_context(Object(build_program(GENERATOR).read_bytes(), "bench"))
        self._load(flows)
        for end in ENDS.values():
            program = self._programs.program(sink if end == "in1" else "nothing")
            undo.callback(self.sink.call(attach_xdp, program, self.sink.ifindex(end), "native").detach)

    def _load(self, flows: int) -> None:
        programs, out = self._programs, self.source.ifindex("out")
        programs.set_variable("frame", packet()[:64])
        programs.set_variable("flows", flows.to_bytes(4, sys.byteorder))
        programs.set_variable("ifindex", out.to_bytes(4, sys.byteorder))
        programs.set_variable("cpu", LAST.to_bytes(4, sys.byteorder))
        programs.set_max_entries("apart", LAST + 1)
        programs.load()
        programs.map("apart").update(struct.pack("=I", LAST), struct.pack("=Ii", QUEUE, programs.program("pass_on").fd))
        self._memory = programs.map(next(name for name in programs.maps if name.endswith(".bss"))).memory()
        self._places = programs.variables(".bss")

    # -- what is counted ----------------------------------------------------------------------------------------------

    def _read(self, name: str) -> int:
        return struct.unpack_from("=Q", self._memory, self._places[name][0])[0]

    @property
    def received(self) -> int:
        """Frames that have left by eth1."""
        return self._read("received")

    @property
    def sent(self) -> int:
        return self._read("sent")

    def _histogram(self) -> list[int]:
        start, size = self._places["histogram"]
        return list(struct.unpack_from(f"={size // 8}Q", self._memory, start))

    # -- traffic ------------------------------------------------------------------------------------------------------

    @contextmanager
    def sending(self, program: str, rate: float = 0) -> Iterator[None]:
        """Frames are sent, by a paced program so many a second, or as many as it can; `share` is then what it had of its CPU."""
        struct.pack_into("=Q", self._memory, self._places["interval"][0], round(1e9 / rate) if rate else 0)
        before, start = self.sent, time.monotonic()
        child = self.source.call(self._fork, program)
        try:
            self._wait(lambda: self.sent > before)
            start = time.monotonic()
            yield
        finally:
            passed = time.monotonic() - start
            os.kill(child, signal.SIGTERM)
            _, _, used = os.wait4(child, 0)
            self.share = (used.ru_utime + used.ru_stime) / passed

    @staticmethod
    def _wait(happened: Callable[[], bool]) -> None:
        """A program's first test run, and a runtime on a busy machine, take their time."""
        end = time.monotonic() + PATIENCE
        while not happened():
            if time.monotonic() > end:
                raise SystemExit(f"no frame passed in {PATIENCE} seconds")
            time.sleep(0.01)

    def _fork(self, program: str) -> int:
        """One test run repeats until a signal ends it. The namespace that this thread is in is the one that devices are looked for in."""
        child = os.fork()
        if not child:
            try:
                os.sched_setaffinity(0, {FIRST})
                self._programs.program(program).test_run(packet()[:64], repeat=2_000_000_000, flags=LIVE_FRAMES, batch_size=64)
            finally:
                os._exit(1)
        return child

    def rate(self, seconds: float, program: str = "generate", rate: float = 0) -> float:
        """Frames a second that arrive."""
        return self.rates(seconds, program, rate)[1]

    def rates(self, seconds: float, program: str = "generate", rate: float = 0) -> tuple[float, float]:
        """Frames a second that are sent, and that arrive."""
        with self.sending(program, rate):
            time.sleep(SETTLED)
            sent, received, start = self.sent, self.received, time.monotonic()
            time.sleep(seconds)
            self._wait(lambda: self.received > received)
            sent, received, passed = self.sent - sent, self.received - received, time.monotonic() - start
        return sent / passed, received / passed

    def most(self, seconds: float) -> float:
        """Frames a second that the paced generator makes at most, whatever becomes of them."""
        with self.sending("pace_apart"):
            time.sleep(SETTLED)
            sent, start = self.sent, time.monotonic()
            time.sleep(seconds)
            return (self.sent - sent) / (time.monotonic() - start)

    def times(self, seconds: float, rate: float) -> Callable[[float], float]:
        """Frames with the time are sent: what quantile of them took how many nanoseconds, or less, until they arrived."""
        with self.sending("pace_apart", rate):
            time.sleep(SETTLED)
            before, received = self._histogram(), self.received
            time.sleep(seconds)
            self._wait(lambda: self.received > received)
            after = self._histogram()
        counts = [late - early for early, late in zip(before, after)]
        return lambda share: quantile(counts, share)


def quantile(counts: list[int], share: float) -> float:
    """The upper end of the range that this share of what is counted ends in."""
    left = share * sum(counts)
    for place, count in enumerate(counts):
        left -= count
        if count and left <= 0:
            power, part = divmod(place, PARTS)
            return (PARTS + part + 1) * 2.0 ** (power - 4)
    raise ValueError("no frame arrived")
