"""Waiting for what has to happen, however busy the machine is."""

from __future__ import annotations

import time
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path
from typing import TYPE_CHECKING, TypeVar

from clickbpf.errors import ClickError
from clickbpf.runtime.client import ControlClient

if TYPE_CHECKING:
    from clickbpf.testing.traffic import RawPort

Found = TypeVar("Found")


def eventually(condition: Callable[[], Found], patience: float = 60) -> Found:
    """The value of `condition()` once it is true, or its last value after this many seconds."""
    end = time.monotonic() + patience
    while not (found := condition()) and time.monotonic() < end:
        time.sleep(0.002)
    return found


def connected(control: Path) -> ControlClient:
    """A client of a router that is being started."""

    def client() -> ControlClient | None:
        with suppress(ClickError):
            return ControlClient(control)
        return None

    found = eventually(client)
    assert found, f"nobody listens at {control}"
    return found


def received(port: RawPort, enough: Callable[[list[bytes]], bool], silence: float = 0.3) -> list[bytes]:
    """The frames that have arrived at a port when they are `enough`, and those that come until none does for `silence` seconds."""
    frames: list[bytes] = []

    def one_more(patience: float) -> bool:
        frame = port.receive(patience)
        frames.extend(() if frame is None else (frame,))
        return frame is not None

    eventually(lambda: enough(frames) or (one_more(0.1) and False))
    while one_more(silence):
        pass
    return frames
