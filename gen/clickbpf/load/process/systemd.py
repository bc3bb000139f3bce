"""Reports to systemd by sd_notify(3), if the environment has NOTIFY_SOCKET."""

import os
import socket
import time
from contextlib import suppress


def notify(**state: object) -> None:
    """Send variables of sd_notify(3), such as READY=1."""
    where = os.environ.get("NOTIFY_SOCKET")
    if not where:
        return
    address = b"\0" + os.fsencode(where[1:]) if where.startswith("@") else where
    with suppress(OSError), socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM | socket.SOCK_CLOEXEC) as sender:
        sender.sendto("\n".join(f"{name}={value}" for name, value in state.items()).encode(), address)


class Watchdog:
    """Reports that the service is alive, twice in each interval of WATCHDOG_USEC (microseconds)."""

    def __init__(self) -> None:
        asked = os.environ.get("WATCHDOG_USEC", "")
        self._interval = int(asked) / 2e6 if asked.isdigit() else 0.0
        self._next = time.monotonic()

    @property
    def due(self) -> bool:
        return self._interval > 0 and time.monotonic() >= self._next

    def well(self) -> None:
        self._next = time.monotonic() + self._interval
        notify(WATCHDOG=1)
