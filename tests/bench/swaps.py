"""Thousands of hot swaps under numbered frames: what is lost, and what the process holds meanwhile. As root.

    .venv/bin/python tests/bench/swaps.py [--loads] [--broken N] [SWAPS] [FRAMES A SECOND]

One namespace sends frames with numbers into a router, another one counts them; the router's handler `hotconfig` puts one
configuration in the place of another all the time, or with --loads `clickbpf load --replace` does. A line is printed for every
twentieth of the swaps. What a veth device refuses, it counts itself, and isn't lost by the router. With a rate of 0 no frames are sent.
Each router has a counter of its own, as in Click, which may only grow while the router runs. N swaps besides, evenly spread, are to
configurations with a mistake: each has to be refused, and leave configuration and programs as they are.
"""

from __future__ import annotations

import argparse
import json
import os
import re
import signal
import socket
import struct
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager, suppress
from dataclasses import dataclass
from ipaddress import IPv4Address, IPv6Address
from pathlib import Path

ROOT = Path(__file__).parents[2]
sys.path[:0] = [str(ROOT / "gen"), str(ROOT)]

from tests.waiting import eventually  # noqa: E402

from clickbpf.build.bpf import build_program  # noqa: E402
from clickbpf.load.devices.links import MODES, attached_xdp  # noqa: E402
from clickbpf.load.files.places import RunFolder  # noqa: E402
from clickbpf.load.kernel.libbpf import check, lib  # noqa: E402
from clickbpf.load.kernel.objects import Object  # noqa: E402
from clickbpf.load.process.service import alive  # noqa: E402
from clickbpf.runtime.client import ControlClient  # noqa: E402
from clickbpf.runtime.failures import HandlerError  # noqa: E402
from clickbpf.testing.netns import Namespace, Network  # noqa: E402

SWAPS, LOADS, RATE = 2000, 200, 500_000
TEXT = "FromDevice(eth0) -> c :: Counter -> q :: Queue -> t :: ToDevice(eth1); FromDevice(eth1) -> Discard;"
OTHER = TEXT.replace("c ::", "n :: Null -> c ::")
#: Refused by the grammar, the library, an argument's type, the machine's devices, and an element that is initialised.
BROKEN = (
    TEXT + " }",
    TEXT.replace("Counter", "Conuter"),
    TEXT.replace("Queue ->", "Queue(many) ->"),
    TEXT.replace("eth1)", "eth9)"),
    TEXT + " FromDump(/nonexistent/file.pcap) -> Discard;",
)
HEAD, HEAD_OF_FLOWS, HEAD_OF_FLOWS6 = bytes(12) + b"\x88\xb5" + bytes(2), bytes(12) + b"\x08\x00\x45\x00", bytes(12) + b"\x86\xdd\x60\x00"
IP_REST = 50 << 8 | 64 << 48 | 17 << 56
LIVE_FRAMES = 1 << 1
#: Frames a second that a socket sends, some at each tick of so many seconds.
FEW, TICK = 10_000, 0.005
ENVIRONMENT = {**os.environ, "PYTHONPATH": str(ROOT / "gen")}
CLICKBPF = (sys.executable, "-m", "clickbpf.cli.main")


@dataclass(frozen=True)
class Route:
    """Where flows that can be routed come from and go to (numbered.bpf.c), and the Ethernet address of the first router; without one, the
    few frames that a socket sends go where Linux routes them."""

    mac: bytes | None
    source: IPv4Address | IPv6Address
    destination: IPv4Address | IPv6Address

    @property
    def head(self) -> bytes:
        """What all frames begin with."""
        return (self.mac or bytes(6)) + (HEAD_OF_FLOWS if self.destination.version == 4 else HEAD_OF_FLOWS6)[6:]

    @property
    def variable(self) -> tuple[str, bytes]:
        """The one of numbered.bpf.c, and its value."""
        return ("between", self.source.packed + self.destination.packed) if self.destination.version == 4 else ("six", self.words6(0))

    def words6(self, flow: int) -> bytes:
        """A flow's frame of IPv6 between head and number."""
        destination = self.destination.packed[:14] + (int.from_bytes(self.destination.packed[14:], "little") + flow).to_bytes(2, "little")
        return struct.pack("!HHBB", 0, 10, 59, 64) + self.source.packed + destination + bytes(2)

    def words(self, flow: int) -> bytes:
        """A flow's frame from the IP checksum to the UDP length."""
        destination = int.from_bytes(self.destination.packed, "little") + (flow << 16)
        header = HEAD_OF_FLOWS[14:] + struct.pack("=Q2x4sI", IP_REST, self.source.packed, destination)
        total = sum(struct.unpack("!10H", header))
        total = (total & 0xFFFF) + (total >> 16)
        return struct.pack("!H", ~((total & 0xFFFF) + (total >> 16)) & 0xFFFF) + header[12:] + struct.pack("!3H", 1000, 9, 30)


@dataclass(frozen=True)
class Flow:
    """Frames of a flow that have arrived, how many of them before they last changed their way, how often they did that, and the TTL of
    the last one."""

    received: int
    before: int
    moved: int
    ttl: int


class Traffic:
    """Frames from one host to another through the router, numbered by numbered.bpf.c."""

    def __init__(
        self,
        source: Namespace,
        sink: Namespace,
        rate: int,
        undo: ExitStack,
        most: int = (1 << 64) - 1,
        flows: int = 0,
        route: Route | None = None,
    ):
        self._source, self._sink, self._rate, self._child, self._flows, self._route = source, sink, rate, 0, flows, route
        self._head = HEAD_OF_FLOWS if flows else HEAD
        self._programs = undo.enter_context(Object(build_program(Path(__file__).with_name("numbered.bpf.c")).read_bytes(), "numbered"))
        if route:
            self._head = route.head
            self._programs.set_variable(*route.variable)
        self._programs.set_variable("head", self._head)
        self._programs.set_variable("flows", flows.to_bytes(4, sys.byteorder))
        self._programs.set_variable("interval", (10**9 // rate).to_bytes(8, sys.byteorder))
        self._programs.set_variable("most", most.to_bytes(8, sys.byteorder))
        self._programs.load()
        self._memory = self._programs.map("traffic").memory()
        self.plug_in()

    def plug_in(self) -> None:
        """Send and count by the devices that are there now."""
        struct.pack_into("=Q", self._memory, 40, self._source.ifindex("eth0"))
        attached = self._sink.call(attached_xdp, ifindex := self._sink.ifindex("eth0"))
        if not attached:
            # Without a link, so that the program stays when this process ends.
            counting = self._programs.program("count")
            self._sink.call(lambda: check(lib.bpf_xdp_attach(ifindex, counting.fd, MODES["native"], None), "attaching to XDP"))

    def start(self) -> None:
        """In a process of its own, until a signal ends it. A test run looks at the clock all the time, and each new one would wait for RCU:
        few frames are sent by a socket instead."""
        self._child = self._source.call(self._fork)

    def _fork(self) -> int:
        """The namespace that this thread is in is the one that the device is looked for in."""
        child = os.fork()
        if not child:
            try:
                while self._rate <= FEW:
                    self._send_some()
                while True:
                    self._programs.program("number").test_run(bytes(64), repeat=2_000_000_000, flags=LIVE_FRAMES, batch_size=64)
            finally:
                os._exit(1)
        return child

    def _send_some(self) -> None:
        by_linux = self._route is not None and self._route.mac is None
        kind = (socket.AF_INET, socket.SOCK_RAW, socket.IPPROTO_RAW) if by_linux else (socket.AF_PACKET, socket.SOCK_RAW)
        start, to = (14, str(self._route.destination)) if by_linux else (0, "eth0")
        with socket.socket(*kind) as port:
            while True:
                time.sleep(TICK)
                paused = struct.unpack_from("=Q", self._memory)[0]
                for number in range(self.sent, self.sent + (0 if paused else round(self._rate * TICK))):
                    with suppress(OSError if by_linux else ()):  # nobody answers for the gateway
                        port.sendto(self._frame(number)[start:], (to, 0))
                    struct.pack_into("=Q", self._memory, 8, number + 1)

    def _frame(self, number: int) -> bytes:
        """What numbered.bpf.c makes of a number."""
        if not self._flows:
            return HEAD + struct.pack("=Q", number) + bytes(40)
        if self._route and self._route.destination.version == 6:
            return self._head + self._route.words6(number % self._flows) + struct.pack("=Q", number)
        words = self._route.words(number % self._flows) if self._route else struct.pack("=Q8x", number % self._flows << 32)
        return self._head + struct.pack("=Q16s8xQ8x", IP_REST, words, number)

    def pause(self, paused: bool) -> None:
        """No more frames, or frames again."""
        struct.pack_into("=Q", self._memory, 0, paused)

    def stop(self) -> None:
        """No more frames; those that are on their way arrive meanwhile."""
        self.pause(True)
        time.sleep(1)
        os.kill(self._child, signal.SIGTERM)
        os.waitpid(self._child, 0)

    @property
    def sent(self) -> int:
        return struct.unpack_from("=Q", self._memory, 8)[0]

    @property
    def received(self) -> tuple[int, int]:
        """Frames that have arrived, and how many of them came out of order."""
        return struct.unpack_from("=QQ", self._memory, 24)

    def flow(self, number: int) -> Flow:
        """What has arrived of a flow."""
        _, received, before, moved, way = struct.unpack("=QQQII", self._programs.map("next").lookup(number.to_bytes(4, sys.byteorder)))
        return Flow(received, before, moved, way >> 16)

    def lost(self) -> dict[int, int]:
        """By flow, the frames that have not arrived when none is on its way any more. No more are sent after that."""
        self.pause(True)
        assert eventually(lambda: (before := self.received, time.sleep(0.3), before == self.received)[-1])
        return {n: (self.sent - 1 - n) // self._flows + 1 - self.flow(n).received for n in range(self._flows)}


def refused(*devices: tuple[Namespace, str]) -> int:
    """Frames that veth devices were given by redirects and had no room for."""
    lines = "".join(namespace.run("ethtool", "-S", device).stdout for namespace, device in devices).splitlines()
    return sum(int(line.partition(":")[2]) for line in lines if "xdp_xmit_errors" in line)


def held(pid: int) -> str:
    """What the process holds now."""
    proc = Path(f"/proc/{pid}")
    rss = int((proc / "statm").read_text().split()[1]) * os.sysconf("SC_PAGE_SIZE") >> 10
    mappings, threads = len((proc / "maps").read_text().splitlines()), len(list((proc / "task").iterdir()))
    of_process = f"{len(list((proc / 'fd').iterdir()))} descriptors, {mappings} mappings, {threads} threads, {rss} KiB"
    counts = (f"{len(numbers(kind))} {kind}s" for kind in ("prog", "map", "link", "btf"))
    return f"{of_process}; in the kernel, of all processes, {', '.join(counts)}"


@dataclass(frozen=True)
class Running:
    """A router that runs: its process, what puts another configuration in its place (False: it was refused), and its handlers."""

    pid: int
    swap: Callable[[str], bool]
    read: Callable[[str], str]


def numbers(kind: str) -> list[int]:
    """Of the BPF objects of a kind that there are."""
    listed = subprocess.run(["bpftool", kind, "list", "--json"], capture_output=True, text=True, check=True).stdout
    return [each["id"] for each in json.loads(listed)]


@contextmanager
def configured(router: Namespace) -> Iterator[Running]:
    """`clickbpf run`, and its handler hotconfig."""
    with tempfile.TemporaryDirectory() as folder:
        control = Path(folder) / "control"
        running = router.popen(*CLICKBPF, "run", "-R", "-u", str(control), "-e", TEXT, env=ENVIRONMENT, stderr=subprocess.DEVNULL)
        wait_for_program(router)
        with ControlClient(control) as client:
            while "hotconfig" not in client.read("handlers"):
                time.sleep(0.1)

            def swap(text: str) -> bool:
                with suppress(HandlerError):
                    client.write("hotconfig", text)
                    return True
                return False

            yield Running(running.pid, swap, client.read)
        running.send_signal(signal.SIGINT)
        running.wait()


@contextmanager
def loaded(router: Namespace) -> Iterator[Running]:
    """`clickbpf load`, and again with --replace."""
    name = f"swaps{os.getpid()}"

    def load(text: str, *options: str) -> bool:
        return router.run(*CLICKBPF, "load", "-n", name, *options, "-e", text, env=ENVIRONMENT, check=False).returncode == 0

    def read(handler: str) -> str:
        with ControlClient(RunFolder.of(name).control) as client:
            return client.read(handler)

    if not load(TEXT):
        raise SystemExit("the router can't be loaded")
    try:
        yield Running(alive(RunFolder.of(name)), lambda text: load(text, "--replace"), read)
    finally:
        router.run(*CLICKBPF, "unload", name, env=ENVIRONMENT)


def wait_for_program(router: Namespace) -> None:
    while "prog/xdp" not in router.ip("-d", "link", "show", "eth1"):
        time.sleep(0.1)


def programs(router: Namespace) -> list[str]:
    """The ids of the programs on the router's devices."""
    return [re.search(r"prog/xdp id (\d+)", router.ip("-d", "link", "show", f"eth{number}"))[1] for number in range(2)]


def breaks_nothing(running: Running, router: Namespace, text: str) -> bool:
    """Whether a configuration with a mistake is refused, and everything stays as it is."""
    before = running.read("config"), programs(router)
    return not running.swap(text) and (running.read("config"), programs(router)) == before


def change(running: Running, swaps: int, broken: int, router: Namespace) -> Iterator[tuple[int, int]]:
    """Swap; after each the number of swaps, and how many of them have done what they must not."""
    wrong, every = 0, swaps // broken if broken else swaps + 1
    for number in range(1, swaps + 1):
        wrong += not running.swap(OTHER if number % 2 else TEXT)
        counts = [int(running.read("c.count"))]
        if number % every == 0:
            wrong += not breaks_nothing(running, router, BROKEN[number // every % len(BROKEN)])
        counts.append(int(running.read("c.count")))
        wrong += counts != sorted(counts)
        yield number, wrong


def main(swaps: int, rate: int, starting: Callable, broken: int = 0) -> int:
    with ExitStack() as undo:
        net = undo.enter_context(Network())
        router, source, sink = (net.namespace(label) for label in ("router", "source", "sink"))
        for number, host in enumerate((source, sink)):
            net.veth(router, f"eth{number}", host, "eth0")
        running = undo.enter_context(starting(router))
        traffic = Traffic(source, sink, rate or 1, undo)
        before = refused((source, "eth0"), (router, "eth1"))
        if rate:
            traffic.start()
        begin = time.monotonic()
        wrong = 0
        for number, wrong in change(running, swaps, broken, router):  # noqa: B007 - the last one counts
            if number % max(1, swaps // 20) == 0 or number == swaps:
                time.sleep(1)  # the last old router goes
                print(f"{number} swaps, {traffic.sent} frames: {held(running.pid)}", flush=True)
        seconds = time.monotonic() - begin
        if rate:
            traffic.stop()
        devices = refused((source, "eth0"), (router, "eth1")) - before
        received, disordered = traffic.received
        lost = traffic.sent - received - devices
        print(f"{swaps} swaps in {seconds:.0f} s: {traffic.sent} frames sent, {traffic.sent / seconds:.0f} a second; {lost} lost, ", end="")
        print(f"{devices} refused by devices, {disordered} out of order")
        print(f"{wrong} swaps failed or set the counter back, or were to one of {broken} broken configurations and changed something")
        return int(lost != 0 or wrong != 0)


if __name__ == "__main__":
    arguments = argparse.ArgumentParser(description=__doc__)
    arguments.add_argument("--loads", action="store_true", help="load --replace instead of hotconfig")
    arguments.add_argument("--broken", type=int, default=0, metavar="N", help="swaps to broken configurations besides")
    arguments.add_argument("swaps", nargs="?", type=int)
    arguments.add_argument("rate", nargs="?", type=int, default=RATE)
    chosen = arguments.parse_args()
    sys.exit(main(chosen.swaps or (LOADS if chosen.loads else SWAPS), chosen.rate, loaded if chosen.loads else configured, chosen.broken))
