"""Signals that end a command, and how to have none of them for a while."""

import signal
import sys
import threading
from collections.abc import Iterator
from contextlib import contextmanager

INTERRUPTS = frozenset({signal.SIGINT, signal.SIGTERM, signal.SIGHUP})

_come: list[int] = []


def unwind() -> None:
    """An interrupt unwinds the stack from now on, so that everything begun is undone. Ignored ones, as nohup(1) has them, stay ignored."""
    _come.clear()
    for number in INTERRUPTS:
        if signal.getsignal(number) is not signal.SIG_IGN:
            signal.signal(number, _unwound)


def raise_lost() -> None:
    """Raise an interrupt again that has come and didn't get here: Python drops what is raised in a destructor, or in the callback of a
    weak reference."""
    if _come:
        _unwound(_come[0])


def _unwound(number: int, *_) -> None:
    _come.append(number)
    if number == signal.SIGINT:
        raise KeyboardInterrupt
    sys.exit(128 + number)


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
