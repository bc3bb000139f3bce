"""Signals that end a command, and how to defer them."""

import signal
import sys
import threading
from collections.abc import Iterator
from contextlib import contextmanager

INTERRUPTS = frozenset({signal.SIGINT, signal.SIGTERM, signal.SIGHUP})

_arrived: list[int] = []


def unwind() -> None:
    """From now on an interrupt unwinds the stack, so that everything begun is undone. Signals that are ignored, as by nohup(1), stay
    ignored."""
    _arrived.clear()
    for number in INTERRUPTS:
        if signal.getsignal(number) is not signal.SIG_IGN:
            signal.signal(number, _unwound)


def raise_lost() -> None:
    """Raise an interrupt again that was lost: Python drops exceptions in destructors, and in callbacks of weak references."""
    if _arrived:
        _unwound(_arrived[0])


def _unwound(number: int, *_) -> None:
    _arrived.append(number)
    if number == signal.SIGINT:
        raise KeyboardInterrupt
    sys.exit(128 + number)


@contextmanager
def uninterrupted() -> Iterator[None]:
    """Defer signals that end the process until the end of this context."""
    mask = signal.pthread_sigmask(signal.SIG_BLOCK, INTERRUPTS)
    waiting: list[int] = []
    try:
        with _taken(waiting):
            yield
    finally:
        for number in waiting:
            signal.raise_signal(number)  # in this thread, which still blocks it
        signal.pthread_sigmask(signal.SIG_SETMASK, mask)


def never_again() -> None:
    """From now on interrupts come too late, and are ignored."""
    signal.pthread_sigmask(signal.SIG_BLOCK, INTERRUPTS)
    _handle(dict.fromkeys(INTERRUPTS, lambda *_: None))


@contextmanager
def _taken(waiting: list[int]) -> Iterator[None]:
    """Have handlers collect signals in `waiting`. Blocking them in this thread isn't enough: the kernel delivers them to another thread,
    and Python calls handlers in the main thread."""
    before = {number: signal.getsignal(number) for number in INTERRUPTS}
    _handle(dict.fromkeys(INTERRUPTS, lambda number, _: waiting.append(number)))
    try:
        yield
    finally:
        _handle(before)


def _handle(handlers: dict) -> None:
    """Set handlers, in the main thread only. One that isn't Python's own (None) stays."""
    if threading.current_thread() is threading.main_thread():
        for number, handler in handlers.items():
            if handler is not None and signal.getsignal(number) is not None:
                signal.signal(number, handler)
