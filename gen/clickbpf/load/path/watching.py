"""Sessions of routers with devices, which look at these every few seconds."""

import math
import time
from abc import abstractmethod
from collections.abc import Iterator
from contextlib import suppress
from socket import if_indextoname, if_nametoindex
from typing import Any

from clickbpf.errors import ClickError, Diagnostic
from clickbpf.load.devices.devices import Device
from clickbpf.load.path.hosting import has_left
from clickbpf.messages import show
from clickbpf.objects.hooks import TC
from clickbpf.objects.made import INLET
from clickbpf.runtime.session import Session

#: Seconds between two looks.
LOOK_AFTER = 5
#: Whether a device is there: since the router was attached to it, not at all, or anew, without the router.
THERE, GONE, BACK = range(3)


class Watching(Session):
    """Reports devices that go and come back, and chooses again how packets leave, since devices change. On TC, unlike on XDP,
    the kernel doesn't take devices that are gone out of the programs' table, so this does: then packets for them are counted drops.
    """

    #: How a user attaches the router to a device that has come back.
    cure = ""

    def __init__(self, **more: Any):
        super().__init__(**more)
        self._look_at = time.monotonic() + LOOK_AFTER
        #: By interface index, what was last known of devices.
        self._known: dict[int, int] = {}

    def _follow_devices(self) -> None:
        if time.monotonic() < self._look_at:
            return
        self._look_at = time.monotonic() + LOOK_AFTER
        self._look()

    def _look(self) -> None:
        """After a failure to choose how packets leave, which is shown, there are no more looks."""
        show(Diagnostic(None, text, severity="warning") for text in self._news())
        try:
            self._choose_crossings()
        except ClickError as error:
            show(Diagnostic(each.place, each.message, each.hint, severity="warning") for each in error.diagnostics)
            self._look_at = math.inf

    @abstractmethod
    def _choose_crossings(self) -> None:
        """Choose how packets leave by the devices."""

    def _news(self) -> Iterator[str]:
        for index, device in enumerate(self.runtime.interfaces):
            now = self._state(device)
            if now != self._known.get(device.ifindex, THERE):
                if self.runtime.path.manifest.hook == TC and device.configured != INLET:
                    self.runtime.path.role("tx").update(index, device.ifindex if _exists(device.ifindex) else 0)
                yield {
                    THERE: f"{device} is there again",
                    GONE: f"{device} is gone, and the router goes on without it",
                    BACK: f"{device} was gone and is there again, without the router: {self.cure}",
                }[now]
            self._known[device.ifindex] = now

    def _state(self, device: Device) -> int:
        if _exists(device.ifindex) and not has_left(self.runtime, device):
            return THERE
        with suppress(OSError):
            if if_nametoindex(device.name):
                return BACK
        return GONE


def _exists(ifindex: int) -> bool:
    """Whether this network namespace has a device of this index."""
    with suppress(OSError):
        return bool(if_indextoname(ifindex))
    return False
