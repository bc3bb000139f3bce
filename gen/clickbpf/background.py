"""Runs commands in the background: with low priority, and until they are cancelled."""

import os
import signal
import subprocess
import threading
from collections.abc import Sequence
from contextlib import suppress

#: With this niceness a command gets a tenth of a CPU beside a router that keeps all CPUs busy.
_NICELY = ("nice", "-n", "10")


class Cancelled(Exception):
    """A background command was cancelled."""


class Background:
    """Runs commands, one after another and from any thread, until it is cancelled."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._running: subprocess.Popen | None = None
        self._cancelled = False

    def run(self, command: Sequence[str], given: str | None, environment: dict[str, str]) -> subprocess.CompletedProcess:
        """Run a command that reads and writes text, like subprocess.run(). Raises Cancelled if it is cancelled now or was before."""
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
                process_group=0,  # not a new session: Linux shares CPUs among sessions regardless of niceness (sched(7), autogroup)
            )
        printed, said = running.communicate(given)
        with self._lock:
            self._running = None
            if self._cancelled:
                raise Cancelled
        return subprocess.CompletedProcess(command, running.returncode, printed, said)

    def cancel(self) -> None:
        """Kill the running command with all its processes, and refuse further ones."""
        with self._lock:
            self._cancelled = True
            if self._running is not None:
                with suppress(ProcessLookupError):  # it has just ended
                    os.killpg(self._running.pid, signal.SIGKILL)
