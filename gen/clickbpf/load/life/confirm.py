"""Undoes a load that isn't confirmed in time, perhaps because the machine can no longer be reached.

    python -m clickbpf.load.life.confirm ROUTER TOKEN SECONDS

waits in the background for the confirmation of the trial with that token (trial.py). The process is started before the load, since starting
it afterwards might fail. Its standard input is a socket: the process writes a byte when it is ready, and the seconds begin when the loader
closes the other end.
"""

import os
import secrets
import socket
import sys
import syslog
import time
from collections.abc import Iterator
from contextlib import contextmanager

from clickbpf.errors import ClickError
from clickbpf.load.devices.record import Record
from clickbpf.load.files.places import RunFolder
from clickbpf.load.files.process import start_beside
from clickbpf.load.life import trial
from clickbpf.load.life.reload import request_as_loaded
from clickbpf.load.life.replace import replace
from clickbpf.load.life.unload import unload
from clickbpf.waiting import readable

#: Seconds between two checks for the confirmation, and the most that a new process may take to start.
GLANCE, PATIENCE = 0.2, 120.0


@contextmanager
def watched(name: str, seconds: float | None) -> Iterator[str]:
    """Yields the token for a load (Request.trial), which is undone `seconds` after this context unless it is confirmed. For None the token
    is empty, and the load stays. ClickError, before anything is loaded, if no process can wait for the confirmation."""
    if seconds is None:
        yield ""
        return
    token, refused = secrets.token_hex(8), f"no process can wait for the confirmation of {name}, so nothing was loaded"
    ours, theirs = socket.socketpair()
    with ours:
        try:
            with theirs:
                start_beside(__name__, name, token, str(seconds), stdin=theirs)
        except OSError as error:
            raise ClickError(f"{refused}: {error.strerror}") from None
        if not readable([ours.fileno()], PATIENCE) or not ours.recv(1):
            raise ClickError(refused, hint="load without --confirm")
        yield token


# -- in the process that waits ----------------------------------------------------------------------------------------


def main(name: str, token: str, seconds: str) -> int:
    os.write(sys.stdin.fileno(), b".")
    os.read(sys.stdin.fileno(), 1)
    wait(name, token, float(seconds))
    return 0


def wait(name: str, token: str, seconds: float) -> None:
    """Wait for the end of a trial; after `seconds`, end it and undo the load."""
    end = time.monotonic() + seconds
    while time.monotonic() < end:
        if not trial.waits(name, token):
            return
        time.sleep(GLANCE)
    try:
        version = trial.end(name, token)
        said = None if version is None else _undo(name, version)
    except Exception as error:  # any error, because nobody else would report it
        said = f"{name} was not confirmed and can't be undone: {error}"
    if said:
        syslog.syslog(syslog.LOG_WARNING, f"clickbpf: {said}")


def _undo(name: str, version: str) -> str:
    """Undo the load of the router with this version; returns a line for the log."""
    before = trial.before(RunFolder.of(name))
    if before is None:
        unload(name, lambda text: None, version)
        return f"{name} was not confirmed: unloaded again"
    content, record = before
    replace(request_as_loaded(name, content, Record.from_json(record, name), lambda text: None), version)
    return f"{name} was not confirmed: the previous router is back"


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
