"""Waiting for what has to happen, however busy the machine is."""

from __future__ import annotations

import os
import signal
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import TYPE_CHECKING, TypeVar

from clickbpf.errors import ClickError
from clickbpf.load.files.places import RUN
from clickbpf.runtime.client import ControlClient

if TYPE_CHECKING:
    from clickbpf.testing.traffic import RawPort

Found = TypeVar("Found")


def eventually(condition: Callable[[], Found], patience: float = 60) -> Found:
    """The value of `condition()` once it is true, or its last value after this many seconds. A condition that takes long, such as a
    command, is asked for half of the time: what is waited for needs the CPU as well."""
    end = time.monotonic() + patience
    while True:
        asked = time.monotonic()
        if (found := condition()) or asked >= end:
            return found
        time.sleep(max(time.monotonic() - asked, 0.002))


@contextmanager
def standing_still(process: int) -> Iterator[None]:
    """None of the process's threads executes anything. One of them takes the signal and stops the others, as soon as it has a CPU;
    until then they go on."""
    os.kill(process, signal.SIGSTOP)
    try:
        threads = list(Path(f"/proc/{process}/task").iterdir())
        assert eventually(lambda: all(_state(thread) == "T" for thread in threads))
        yield
    finally:
        with suppress(ProcessLookupError):
            os.kill(process, signal.SIGCONT)


def _state(thread: Path) -> str:
    """Of a thread, a letter (proc(5))."""
    return (thread / "stat").read_text().rpartition(")")[2].split()[0]


def connected(control: Path) -> ControlClient:
    """A client of a router that is being started."""

    def client() -> ControlClient | None:
        with suppress(ClickError):
            return ControlClient(control)
        return None

    found = eventually(client)
    assert found, f"nobody listens at {control}"
    return found


def waits_for_the_lock(process: int) -> bool:
    """Whether that process waits for the lock on the folder of all routers, which another descriptor has."""
    status, locks = RUN.stat(), Path("/proc/locks").read_text().splitlines()
    file = f"{os.major(status.st_dev):02x}:{os.minor(status.st_dev):02x}:{status.st_ino}"
    return any(words[1] == "->" and words[5:7] == [str(process), file] for words in map(str.split, locks))


def received(port: RawPort, enough: Callable[[list[bytes]], bool], silence: float = 0.3) -> list[bytes]:
    """The frames that have arrived at a port when they are `enough`, and those that come until none does for `silence` seconds."""
    frames: list[bytes] = []

    def one_more(patience: float) -> bool:
        frame = port.receive(patience)
        frames.extend(() if frame is None else (frame,))
        return frame is not None

    end = time.monotonic() + 60
    while not enough(frames) and time.monotonic() < end:
        one_more(0.1)
    while one_more(silence):
        pass
    return frames
