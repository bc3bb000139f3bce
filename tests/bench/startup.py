"""What it takes to have a router of 10 to 10,000 elements: seconds of compiling and of starting a configuration that was never seen, of
loading and starting it with all compiled, and of swapping it for another one while it runs, with both compiled.

All but swaps are whole commands, `clickbpf build`, `load` and `run --quit`, on two devices; a swap is a write of the handler hotconfig.
Of 1,000 elements and more, what isn't done in a minute is left out, and so are larger sizes.
"""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from pathlib import Path

from tests.bench.effort import Effort

from clickbpf.runtime.client import ControlClient
from clickbpf.testing.netns import Namespace, Network

SIZES = (10, 100, 1000, 10_000)
BUILD, FIRST, LOAD, START, SWAP = "build", "first start", "load", "start", "hot swap"
#: Elements from which on two rounds have to do, and a minute.
LARGE = 1000
#: What the line consists of: mostly what costs packets little.
CLASSES = ("Counter", *["Null", "Paint(1)", "SetAnnoByte(20, 1)", "CheckPaint(1)"] * 8)
#: Seconds for all of a size.
MINUTE, PATIENCE = 60, 600
CLICKBPF = Path(sys.executable).with_name("clickbpf")


class TooLong(Exception):
    """A router can't be had, or not in the time for its size."""


def measure(effort: Effort) -> Iterator[tuple[str, int, list[float]]]:
    """(what, elements, seconds in each round)."""
    with ExitStack() as undo:
        network = undo.enter_context(Network())
        router, host = network.namespace("router"), network.namespace("host")
        for device in ("eth0", "eth1"):
            network.veth(router, device, host, device)
        folder = Path(undo.enter_context(tempfile.TemporaryDirectory()))
        machine = Machine(router, folder)
        machine.run("run", "--quit", "-e", "Idle -> Discard")  # the runtime's library
        for size in effort.up_to(SIZES):
            try:
                yield from machine.measured(size, min(effort.live, 2) if size >= LARGE else effort.live)
            except TooLong as over:
                if size < LARGE:
                    raise
                print(f"{size} elements: {over}", file=sys.stderr)
                return


class Machine:
    """Where commands run: a namespace with devices, and a cache that knows nothing yet."""

    def __init__(self, router: Namespace, folder: Path):
        self._router, self._folder, self._end = router, folder, time.monotonic() + PATIENCE
        self._environment = {**os.environ, "CLICKBPF_CACHE": str(folder / "cache")}
        self._environment.pop("CLICKBPF_CFLAGS", None)  # with which a router wouldn't begin with what is compiled sooner

    def measured(self, size: int, rounds: int) -> Iterator[tuple[str, int, list[float]]]:
        self._end = time.monotonic() + (MINUTE if size >= LARGE else PATIENCE)
        one, other = self._folder / "one.click", self._folder / "other.click"
        # Each a router that there wasn't before.
        yield BUILD, size, [self._seen(one, size, number, "build", "-o", str(self._folder / "router.o")) for number in range(rounds)]
        yield FIRST, size, [self._seen(one, size, rounds + number, "run", "--quit") for number in range(rounds)]
        yield LOAD, size, [self._loaded(one) for _ in range(rounds + 1)][1:]
        yield START, size, [self.run("run", "--quit", str(one)) for _ in range(rounds)]
        self._seen(other, size, 2 * rounds, "run", "--quit")
        with self._running(one) as client:
            yield SWAP, size, [self._swapped(client, path) for path in (other, one) * (rounds + 1)][2:]

    def _seen(self, path: Path, size: int, number: int, *command: str) -> float:
        """Seconds of a command about a router of so many elements, which is in the file then."""
        path.write_text(configuration(size, number))
        return self.run(*command, str(path))

    def _loaded(self, path: Path) -> float:
        """Seconds of loading; the first time more is compiled than for a router that ends at once."""
        name = f"startup{os.getpid()}"
        try:
            return self.run("load", "-n", name, str(path))
        finally:
            self._router.run(str(CLICKBPF), "unload", name, env=self._environment, check=False, timeout=PATIENCE)

    def run(self, *arguments: str) -> float:
        """Seconds of a command."""
        start = time.monotonic()
        child = self._router.popen(
            str(CLICKBPF), *arguments, env=self._environment, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, text=True
        )
        try:
            _, said = child.communicate(timeout=max(1, self._end - time.monotonic()))
        except subprocess.TimeoutExpired:
            child.send_signal(signal.SIGINT)
            child.communicate()
            raise TooLong(f"clickbpf {arguments[0]} takes too long") from None
        if child.returncode:
            raise TooLong(f"clickbpf {arguments[0]}: {said}")
        return time.monotonic() - start

    @contextmanager
    def _running(self, path: Path) -> Iterator[ControlClient]:
        """A router that can be swapped, and a connection to it."""
        control = self._folder / "control"
        ready = path.with_suffix(".ready")
        ready.write_text(f'{path.read_text()}\nScript(print "ready");\n')
        command = (str(CLICKBPF), "run", "-R", "-u", str(control), str(ready))
        child = self._router.popen(*command, env=self._environment, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)
        try:
            while (line := child.stdout.readline()) and line.strip() != "ready":
                continue
            with ControlClient(control) as client:
                yield client
        finally:
            child.send_signal(signal.SIGINT)
            child.communicate(timeout=PATIENCE)

    def _swapped(self, client: ControlClient, path: Path) -> float:
        start = time.monotonic()
        if start > self._end:
            raise TooLong("hot swaps take too long")
        client.write("hotconfig", path.read_text())
        return time.monotonic() - start


def configuration(size: int, number: int) -> str:
    """A router of so many elements in a line; those with other numbers are other routers."""
    line = [f"c{n} :: {CLASSES[n % len(CLASSES)]}" for n in range(size - 4)]
    return f"FromDevice(eth0) -> {' -> '.join([f'x{number} :: Null', *line])} -> Queue -> ToDevice(eth1);"
