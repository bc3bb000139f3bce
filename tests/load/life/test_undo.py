"""A command that was interrupted leaves nothing, whatever Python was in the middle of."""

import os
import signal
import weakref

import pytest

from clickbpf import interrupts
from clickbpf.interrupts import INTERRUPTS, unwind
from clickbpf.load.life.undo import Undo


@pytest.fixture
def handlers(monkeypatch):
    monkeypatch.setattr(interrupts, "_arrived", [])
    before = {number: signal.getsignal(number) for number in INTERRUPTS}
    mask = signal.pthread_sigmask(signal.SIG_UNBLOCK, INTERRUPTS)
    signal.signal(signal.SIGTERM, signal.SIG_DFL)
    signal.signal(signal.SIGINT, signal.default_int_handler)
    yield
    for number, handler in before.items():
        signal.signal(number, handler)
    signal.pthread_sigmask(signal.SIG_SETMASK, mask)


@pytest.mark.filterwarnings("ignore::pytest.PytestUnraisableExceptionWarning")
@pytest.mark.parametrize("number, raised", [(signal.SIGINT, KeyboardInterrupt), (signal.SIGTERM, SystemExit)])
def test_an_interrupt_that_python_dropped_isnt_forgotten(handlers, number, raised):
    class Held:
        pass

    undone = []
    unwind()
    with pytest.raises(raised), Undo() as undo:
        undo.callback(undone.append, "attached")
        held = Held()
        watched = weakref.ref(held, lambda _: os.kill(os.getpid(), number))
        del held
        assert watched() is None, "and the interrupt has been dropped"
        undo.commit()
    assert undone == ["attached"]
