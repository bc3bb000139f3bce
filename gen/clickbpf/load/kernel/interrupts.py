"""Signals that end a command, and how to have none of them for a while."""

import signal
import threading
from collections.abc import Iterator
from contextlib import contextmanager

INTERRUPTS = frozenset({signal.SIGINT, signal.SIGTERM, signal.SIGHUP})


@contextmanager
def uninterrupted() -> Iterator[None]:
    """Signals that end the process wait until the end of this context."""
    mask = signal.pthread_sigmask(signal.SIG_BLOCK, INTERRUPTS)
    waiting: list[int] = []
    try:
        with _taken(waiting):
            yield
    finally:
        for number in waiting:
            signal.raise_signal(number)  # in this thread, which doesn't take it yet
        signal.pthread_sigmask(signal.SIG_SETMASK, mask)


def never_again() -> None:
    """An interrupt comes too late from here on."""
    signal.pthread_sigmask(signal.SIG_BLOCK, INTERRUPTS)
    _handle(dict.fromkeys(INTERRUPTS, lambda *_: None))


@contextmanager
def _taken(waiting: list[int]) -> Iterator[None]:
    """The kernel gives a signal that this thread blocks to another thread, and Python calls its handler in the main thread all the
    same: the handler adds its number to `waiting`."""
    before = {number: signal.getsignal(number) for number in INTERRUPTS}
    _handle(dict.fromkeys(INTERRUPTS, lambda number, _: waiting.append(number)))
    try:
        yield
    finally:
        _handle(before)


def _handle(handlers: dict) -> None:
    """Only the main thread has handlers; one that isn't Python's own (None) stays."""
    if threading.current_thread() is threading.main_thread():
        for number, handler in handlers.items():
            if handler is not None and signal.getsignal(number) is not None:
                signal.signal(number, handler)
