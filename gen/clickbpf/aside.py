"""Commands that run aside: with little priority, until nobody wants their result any more."""

import os
import signal
import subprocess
import threading
from collections.abc import Sequence
from contextlib import suppress

#: A router that keeps all CPUs busy leaves such a command a tenth of one.
_NICELY = ("nice", "-n", "10")


class Cancelled(Exception):
    """What ran aside was cancelled."""


class Aside:
    """Runs commands one after another, in whichever thread, until it is cancelled."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._running: subprocess.Popen | None = None
        self._cancelled = False

    def run(self, command: Sequence[str], given: str | None, environment: dict[str, str]) -> subprocess.CompletedProcess:
        """As subprocess.run() of a command that reads and writes text. Cancelled if it is, or was before."""
        with self._lock:
            if self._cancelled:
                raise Cancelled
            self._running = running = subprocess.Popen(
                [*_NICELY, *command],
                stdin=subprocess.PIPE,
                stdout=subprocess.PIPE,
                stderr=subprocess.PIPE,
                text=True,
                env=environment,
                process_group=0,  # not a session: among those, Linux divides CPUs without regard to niceness (sched(7), autogroup)
            )
        printed, said = running.communicate(given)
        with self._lock:
            self._running = None
            if self._cancelled:
                raise Cancelled
        return subprocess.CompletedProcess(command, running.returncode, printed, said)

    def cancel(self) -> None:
        """End what runs, with all the processes that it has started, and let nothing more begin."""
        with self._lock:
            self._cancelled = True
            if self._running is not None:
                with suppress(ProcessLookupError):  # it has just ended
                    os.killpg(self._running.pid, signal.SIGKILL)
