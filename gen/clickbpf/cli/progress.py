"""The progress of a router that reads files: packets, rate, time left. Shown on terminals, after the first second."""

import sys
import time
from typing import Self

from clickbpf.frozen import frozen
from clickbpf.runtime.host import Runtime
from clickbpf.runtime.session import Session

#: Seconds before anything is shown, and seconds between two measurements of the rate.
PATIENCE, INTERVAL = 1.0, 1.0
#: Handlers of elements that read files.
SIZE, POSITION, COUNT = "filesize", "filepos", "count"


@frozen
class State:
    """Bytes read from all files, the files' total size, and packets made of them."""

    done: int
    total: int
    packets: int


class Progress:
    """Keeps a line at the bottom of the terminal. Shows nothing without a terminal or without files."""

    def __init__(self, session: Session):
        self._session, self._bar, self._task = session, None, None
        self._shows = sys.stderr.isatty()
        self._next = time.monotonic() + PATIENCE
        self._measured: tuple[float, int] | None = None

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *exception) -> None:
        if self._bar is not None:
            self._bar.stop()

    def glance(self) -> None:
        """Show the progress, if an update is due."""
        moment = time.monotonic()
        if not self._shows or moment < self._next:
            return
        self._next = moment + INTERVAL
        now = state(self._session.runtime)
        if now is None:
            return
        if self._bar is None:
            self._begin()
        self._bar.update(self._task, completed=now.done, total=now.total, packets=now.packets, rate=self._rate(moment, now.packets))

    def _rate(self, moment: float, packets: int) -> int:
        """Packets a second since the last measurement."""
        before, self._measured = self._measured, (moment, packets)
        return int((packets - before[1]) / (moment - before[0])) if before else 0

    def _begin(self) -> None:
        from rich.console import Console
        from rich.progress import BarColumn, Progress, TaskProgressColumn, TextColumn, TimeRemainingColumn

        columns = (
            BarColumn(),
            TaskProgressColumn(),
            TextColumn("{task.fields[packets]:,} packets"),
            TextColumn("{task.fields[rate]:,}/s"),
            TimeRemainingColumn(),
            TextColumn("left"),
        )
        self._bar = Progress(*columns, console=Console(stderr=True), transient=True)
        self._task = self._bar.add_task("", total=None, packets=0, rate=0)
        self._bar.start()


def state(runtime: Runtime) -> State | None:
    """The sum over all elements that read files of known size; None if there are none."""
    found = [each for name in runtime.instances if (each := _of_element(runtime, name)) is not None]
    if not found:
        return None
    return State(sum(e.done for e in found), sum(e.total for e in found), sum(e.packets for e in found))


def _of_element(runtime: Runtime, name: str) -> State | None:
    handlers = runtime.handlers
    if not handlers.has(name, SIZE) or not handlers.has(name, POSITION):
        return None
    size, position = handlers.read(name, SIZE), handlers.read(name, POSITION)
    if not size.isdigit() or not position.isdigit():
        return None
    packets = handlers.read(name, COUNT) if handlers.has(name, COUNT) else "0"
    return State(min(int(position), int(size)), int(size), int(packets))
