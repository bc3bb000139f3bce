"""Signals that elements wait for. An action waits for one signal, as in Click: it has to be registered again for the next.

A signal is noted by the process's C-level handler (signal.set_wakeup_fd) and acted upon by the first thread that checks: the main
thread, which sleeps, or a runtime thread that calls Python. Repeated signals before that count as one.
"""

import ctypes
import os
import signal
import socket
from collections.abc import Callable
from typing import Self

from clickbpf.errors import ClickError

#: An action for a signal; returns whether it was done. If not, the signal has its default effect.
Action = Callable[[], bool]

_library = ctypes.CDLL(None, use_errno=True)
_library.signal.restype, _library.signal.argtypes = ctypes.c_void_p, [ctypes.c_int, ctypes.c_void_p]


class Signals:
    """The signals of this process that elements of one router wait for. `fileno()` is readable when one has come."""

    def __init__(self, before: Self | None = None) -> None:
        """`before`: the signals of the router that this one is to replace, which already have handlers in the process."""
        self._actions: dict[int, list[Action]] = {}
        self._known: set[int] = before._known if before else set()
        self._reading: socket.socket | None = before._reading if before else None
        self._writing: socket.socket | None = before._writing if before else None
        self._is_owner = before is None

    def wait_for(self, number: int, action: Action) -> None:
        """Let `action` run soon after the process gets the signal, once if it waits already; the first time from the main thread."""
        if number not in self._known:
            try:
                self._open()
                signal.signal(number, _noted)
            except ValueError:
                raise ClickError("only the main thread can wait for signals") from None
            self._known.add(number)
        actions = self._actions.setdefault(number, [])
        if action not in actions:
            actions.append(action)

    def __contains__(self, number: int) -> bool:
        """Whether the signal was ever waited for."""
        return number in self._known

    def fileno(self) -> int:
        """The descriptor; -1 as long as no signal was waited for."""
        return self._reading.fileno() if self._reading else -1

    def _open(self) -> None:
        if self._reading is None:
            self._reading, self._writing = socket.socketpair()
            self._reading.setblocking(False)
            self._writing.setblocking(False)
            signal.set_wakeup_fd(self._writing.fileno(), warn_on_full_buffer=False)

    def deliver(self) -> bool:
        """Run the actions for signals that have come; returns whether there were any."""
        happened = self._take()
        waiting = {number: self._actions.pop(number, []) for number in happened}
        done = {number: [action() for action in actions] for number, actions in waiting.items()}
        again = self._take()
        for number in sorted(happened | again):
            if not any(done.get(number, ())) or (number in again and not self._actions.get(number)):
                _by_default(number)
        return bool(happened)

    def _take(self) -> set[int]:
        """The numbers of signals that have come and have, or had, an action."""
        try:
            return set(self._reading.recv(4096)) & self._known if self._reading else set()
        except BlockingIOError:
            return set()

    def inherit(self, before: Self) -> None:
        """The router has replaced that one."""
        self._is_owner, before._is_owner = True, False

    def close(self) -> None:
        """Give the signals their default effect back; from the main thread."""
        if not self._is_owner:
            return
        if self._reading is not None:
            signal.set_wakeup_fd(-1)
            for number in self._known:
                signal.signal(number, signal.SIG_DFL)
            self._reading.close()
            self._writing.close()
            self._reading = None
        self._known.clear()


def _noted(number: int, frame) -> None:
    """The wakeup descriptor has the number already."""


def _by_default(number: int) -> None:
    """What the signal does to a process that doesn't handle it; may not return."""
    handler = _library.signal(number, None)
    os.kill(os.getpid(), number)
    _library.signal(number, handler)
