"""The packets at every output of a loaded router, counted by a build that has its kernel path's place meanwhile."""

import threading
from array import array
from contextlib import suppress

from clickbpf.errors import ClickError
from clickbpf.frozen import frozen
from clickbpf.load.change.tracing import COUNT, COUNTED
from clickbpf.load.files.places import RunFolder
from clickbpf.runtime.client import ControlClient

#: Seconds until the next attempt after the counts have ended: another router has taken this one's place, or its packets are traced.
AGAIN = 1.0


@frozen
class Counts:
    """The packets at each output (CheckedRouter.first_outputs) of the router with this hash, at a `moment` in nanoseconds."""

    hash: int
    moment: int
    packets: array


class OutputCounter:
    """Has the packets of a router counted, until close()."""

    def __init__(self, name: str):
        self._name, self._over = name, threading.Event()
        #: The newest counts, None while there are none.
        self.newest: Counts | None = None
        self._thread = threading.Thread(target=self._run, daemon=True)
        self._thread.start()

    def close(self) -> None:
        """End it, and wait until the router has its plain kernel path again."""
        self._over.set()
        self._thread.join()

    def _run(self) -> None:
        while not self._over.is_set():
            with suppress(ClickError, OSError):  # it isn't there, or is being traced
                self._count()
            self.newest = None
            self._over.wait(AGAIN)

    def _count(self) -> None:
        with ControlClient(RunFolder.of(self._name).control) as client:
            for portion in client.stream(COUNT, ""):
                if self._over.is_set():
                    return client.finish()
                if portion:
                    self.newest = Counts(*COUNTED.unpack_from(portion), array("Q", portion[COUNTED.size :]))


def rates(before: Counts | None, now: Counts | None) -> list[float] | None:
    """Packets a second at each output; None if unknown."""
    if before is None or now is None or before.hash != now.hash or before.moment >= now.moment:
        return None
    seconds = (now.moment - before.moment) / 1e9
    grown = [after - earlier for earlier, after in zip(before.packets, now.packets)]
    return [packets / seconds for packets in grown] if min(grown, default=0) >= 0 else None
