"""Thousands of hot swaps under numbered frames: what is lost, and what the process holds meanwhile. As root.

    .venv/bin/python tests/bench/swaps.py [--loads] [SWAPS] [FRAMES A SECOND]

One namespace sends frames with numbers into a router, another one counts them; the router's handler `hotconfig` puts one
configuration in the place of another all the time, or with --loads `clickbpf load --replace` does. A line is printed for every
twentieth of the swaps. What a veth device refuses, it counts itself, and isn't lost by the router. With a rate of 0 no frames are sent.
"""

from __future__ import annotations

import argparse
import json
import os
import signal
import struct
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager
from pathlib import Path

ROOT = Path(__file__).parents[2]
sys.path[:0] = [str(ROOT / "gen"), str(ROOT)]

from clickbpf.build.bpf import build_program  # noqa: E402
from clickbpf.load.devices.links import attach_xdp  # noqa: E402
from clickbpf.load.files.places import RunFolder  # noqa: E402
from clickbpf.load.kernel.objects import Object  # noqa: E402
from clickbpf.load.process.service import alive  # noqa: E402
from clickbpf.runtime.client import ControlClient  # noqa: E402
from clickbpf.testing.netns import Namespace, Network  # noqa: E402

SWAPS, LOADS, RATE = 2000, 200, 500_000
TEXT = "FromDevice(eth0) -> c :: Counter -> q :: Queue -> t :: ToDevice(eth1); FromDevice(eth1) -> Discard;"
OTHER = TEXT.replace("c ::", "n :: Null -> c ::")
HEAD = bytes(12) + b"\x88\xb5" + bytes(2)
LIVE_FRAMES = 1 << 1
ENVIRONMENT = {**os.environ, "PYTHONPATH": str(ROOT / "gen")}
CLICKBPF = (sys.executable, "-m", "clickbpf.cli.main")


class Traffic:
    """Frames from one host to another through the router, numbered by numbered.bpf.c."""

    def __init__(self, source: Namespace, sink: Namespace, rate: int, undo: ExitStack, most: int = (1 << 64) - 1):
        self._source, self._sink, self._child = source, sink, 0
        self._programs = undo.enter_context(Object(build_program(Path(__file__).with_name("numbered.bpf.c")).read_bytes(), "numbered"))
        self._programs.set_variable("head", HEAD)
        self._programs.set_variable("ifindex", source.ifindex("eth0").to_bytes(4, sys.byteorder))
        self._programs.set_variable("interval", (10**9 // rate).to_bytes(8, sys.byteorder))
        self._programs.set_variable("most", most.to_bytes(8, sys.byteorder))
        self._programs.load()
        self._memory = self._programs.map("traffic").memory()
        attached = sink.call(attach_xdp, self._programs.program("count"), sink.ifindex("eth0"), "native")
        undo.callback(attached.detach)

    def start(self) -> None:
        """One test run goes on until a signal ends it, in a process of its own; each new one would wait for RCU."""
        self._child = self._source.call(self._fork)

    def _fork(self) -> int:
        """The namespace that this thread is in is the one that the device is looked for in."""
        child = os.fork()
        if not child:
            try:
                while True:
                    self._programs.program("number").test_run(HEAD + bytes(48), repeat=2_000_000_000, flags=LIVE_FRAMES, batch_size=64)
            finally:
                os._exit(1)
        return child

    def stop(self) -> None:
        """No more frames; those that are on their way arrive meanwhile."""
        struct.pack_into("=Q", self._memory, 0, 1)
        time.sleep(1)
        os.kill(self._child, signal.SIGTERM)
        os.waitpid(self._child, 0)

    @property
    def sent(self) -> int:
        return struct.unpack_from("=Q", self._memory, 8)[0]

    @property
    def received(self) -> tuple[int, int]:
        """Frames that have arrived, and those of them that came after a later one."""
        received, _, disordered = struct.unpack_from("=QQQ", self._memory, 24)
        return received, disordered


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


def numbers(kind: str) -> list[int]:
    """Of the BPF objects of a kind that there are."""
    listed = subprocess.run(["bpftool", kind, "list", "--json"], capture_output=True, text=True, check=True).stdout
    return [each["id"] for each in json.loads(listed)]


@contextmanager
def configured(router: Namespace) -> Iterator[tuple[int, Callable[[str], None]]]:
    """`clickbpf run`, and its handler hotconfig."""
    with tempfile.TemporaryDirectory() as folder:
        control = Path(folder) / "control"
        running = router.popen(*CLICKBPF, "run", "-R", "-u", str(control), "-e", TEXT, env=ENVIRONMENT, stderr=subprocess.DEVNULL)
        wait_for_program(router)
        with ControlClient(control) as client:
            while "hotconfig" not in client.read("handlers"):
                time.sleep(0.1)
            yield running.pid, lambda text: client.write("hotconfig", text)
        running.send_signal(signal.SIGINT)
        running.wait()


@contextmanager
def loaded(router: Namespace) -> Iterator[tuple[int, Callable[[str], None]]]:
    """`clickbpf load`, and again with --replace."""
    name = f"swaps{os.getpid()}"

    def load(text: str, *options: str) -> None:
        done = router.run(*CLICKBPF, "load", "-n", name, *options, "-e", text, env=ENVIRONMENT, check=False)
        if done.returncode:
            raise SystemExit(f"load ended with {done.returncode}:\n{done.stdout}{done.stderr}")

    load(TEXT)
    try:
        yield alive(RunFolder.of(name)), lambda text: load(text, "--replace")
    finally:
        router.run(*CLICKBPF, "unload", name, env=ENVIRONMENT)


def wait_for_program(router: Namespace) -> None:
    while "prog/xdp" not in router.ip("-d", "link", "show", "eth1"):
        time.sleep(0.1)


def main(swaps: int, rate: int, starting: Callable) -> int:
    with ExitStack() as undo:
        net = undo.enter_context(Network())
        router, source, sink = (net.namespace(label) for label in ("router", "source", "sink"))
        for number, host in enumerate((source, sink)):
            net.veth(router, f"eth{number}", host, "eth0")
        pid, swap = undo.enter_context(starting(router))
        traffic = Traffic(source, sink, rate or 1, undo)
        before = refused((source, "eth0"), (router, "eth1"))
        if rate:
            traffic.start()
        begin = time.monotonic()
        for number in range(1, swaps + 1):
            swap(OTHER if number % 2 else TEXT)
            if number % max(1, swaps // 20) == 0 or number == swaps:
                time.sleep(1)  # the last old router goes
                print(f"{number} swaps, {traffic.sent} frames: {held(pid)}", flush=True)
        seconds = time.monotonic() - begin
        if rate:
            traffic.stop()
        devices = refused((source, "eth0"), (router, "eth1")) - before
        received, disordered = traffic.received
        lost = traffic.sent - received - devices
        print(f"{swaps} swaps in {seconds:.0f} s: {traffic.sent} frames sent, {traffic.sent / seconds:.0f} a second; {lost} lost, ", end="")
        print(f"{devices} refused by devices, {disordered} out of order")
        return int(lost != 0)


if __name__ == "__main__":
    arguments = argparse.ArgumentParser(description=__doc__)
    arguments.add_argument("--loads", action="store_true", help="load --replace instead of hotconfig")
    arguments.add_argument("swaps", nargs="?", type=int)
    arguments.add_argument("rate", nargs="?", type=int, default=RATE)
    chosen = arguments.parse_args()
    sys.exit(main(chosen.swaps or (LOADS if chosen.loads else SWAPS), chosen.rate, loaded if chosen.loads else configured))
