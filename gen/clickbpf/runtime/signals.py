"""Signals that elements wait for. As in Click, an action is for one signal, and has to be registered again for the next.

The process's C-level handler (signal.set_wakeup_fd) records a signal. The first thread to check runs the actions: the main thread, which
the signal wakes, or a runtime thread that calls Python. Until then repeated signals count as one.
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
    """The signals of this process that elements of one router wait for. `fileno()` is readable once there is one."""

    def __init__(self, before: Self | None = None) -> None:
        """`before` has the signals of the router that this one is to replace; their handlers are already set."""
        self._actions: dict[int, list[Action]] = {}
        self._known: set[int] = before._known if before else set()
        self._reading: socket.socket | None = before._reading if before else None
        self._writing: socket.socket | None = before._writing if before else None
        self._is_owner = before is None

    def wait_for(self, number: int, action: Action) -> None:
        """Have `action` run soon after the process gets the signal; registering it twice makes no difference. The first call for a signal
        must be from the main thread."""
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
        """Whether an element has ever waited for the signal."""
        return number in self._known

    def fileno(self) -> int:
        """The descriptor; -1 until an element waits for a signal."""
        return self._reading.fileno() if self._reading else -1

    def _open(self) -> None:
        if self._reading is None:
            self._reading, self._writing = socket.socketpair()
            self._reading.setblocking(False)
            self._writing.setblocking(False)
            signal.set_wakeup_fd(self._writing.fileno(), warn_on_full_buffer=False)

    def deliver(self) -> bool:
        """Run the actions for received signals; returns whether there were any."""
        happened = self._take()
        waiting = {number: self._actions.pop(number, []) for number in happened}
        done = {number: [action() for action in actions] for number, actions in waiting.items()}
        again = self._take()
        for number in sorted(happened | again):
            if not any(done.get(number, ())) or (number in again and not self._actions.get(number)):
                _by_default(number)
        return bool(happened)

    def _take(self) -> set[int]:
        """The numbers of received signals that have, or had, an action."""
        try:
            return set(self._reading.recv(4096)) & self._known if self._reading else set()
        except BlockingIOError:
            return set()

    def inherit(self, before: Self) -> None:
        """Take over the process's handlers from the replaced router."""
        self._is_owner, before._is_owner = True, False

    def close(self) -> None:
        """Restore the signals' default effect; must be called from the main thread."""
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
    """Do nothing: the number has been written to the wakeup descriptor."""


def _by_default(number: int) -> None:
    """Cause the signal's default effect; may not return."""
    handler = _library.signal(number, None)
    os.kill(os.getpid(), number)
    _library.signal(number, handler)
