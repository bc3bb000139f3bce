"""The handler timewarp: time that runs faster or slower than the machine's, or jumps to the next timer."""

import time
from dataclasses import dataclass

import pytest
from tests.runtime.conftest import checked
from tests.waiting import eventually

from clickbpf.args.error import ArgError
from clickbpf.compile import Compilation
from clickbpf.runtime.handlers import HandlerError
from clickbpf.runtime.host import Runtime

SECOND = 10**9
#: What the clocks' resolution and rounding may make of a difference, in nanoseconds.
ROUNDED = 1000


@dataclass(frozen=True)
class Look:
    """A router's clocks, and the machine's before and after they were read."""

    before: int
    clock: int
    wall: int
    after: int


def look(router: Runtime) -> Look:
    return Look(time.monotonic_ns(), router.clock, router.wall_clock(), time.monotonic_ns())


def ran_at(factor: float, first: Look, last: Look) -> bool:
    """Whether both clocks ran this many times as fast as the machine's between two readings."""
    least, most = factor * (last.before - first.after), factor * (last.after - first.before)
    return all(least - ROUNDED <= passed <= most + ROUNDED for passed in (last.clock - first.clock, last.wall - first.wall))


@pytest.mark.parametrize("factor", ["3", "0.25", "1000"])
def test_time_runs_faster_or_slower(run, factor):
    """From where it was: neither clock jumps when its pace changes."""
    router = run("Idle -> Discard")
    start = look(router)
    router.handlers.write("", "timewarp", factor)
    first = look(router)
    assert 0 <= first.clock - start.clock <= max(1, float(factor)) * (first.after - start.before)
    time.sleep(0.05)
    last = look(router)
    assert ran_at(float(factor), first, last)
    router.handlers.write("", "timewarp", "1")
    assert router.handlers.read("", "timewarp") == "1"
    first = look(router)
    assert 0 <= first.clock - last.clock <= max(1, float(factor)) * (first.after - last.before)
    time.sleep(0.05)
    assert ran_at(1, first, look(router))


@pytest.mark.parametrize("threads", [1, 3])
@pytest.mark.parametrize("pace", ["100000", "nowait"])
def test_threads_that_sleep_wake_at_the_new_pace(run, pace, threads):
    """A day's sleep that has begun at the machine's pace."""
    router = run("t :: Ticker(86400000000000) -> q :: Queue -> Discard(ACTIVE false);", threads=threads)
    router.start()
    time.sleep(0.05)
    assert router.handlers.read("q", "length") == "0"
    router.handlers.write("", "timewarp", pace)
    assert eventually(lambda: int(router.handlers.read("q", "length")) > 2)


def test_impatient_time_jumps_for_both_clocks(run):
    router = run("t :: Ticker(86400000000000) -> q :: Queue -> Discard(ACTIVE false);")
    first = look(router)
    router.handlers.write("", "timewarp", "nowait")
    router.start()
    assert eventually(lambda: int(router.handlers.read("q", "length")) > 2)

    def gone() -> tuple[int, int]:
        """What the clocks have gone on; time may jump while they are read."""
        last = look(router)
        return last.clock - first.clock, last.wall - first.wall

    assert min(gone()) >= 2 * 86400 * SECOND
    assert eventually(lambda: max(both := gone()) - min(both) < SECOND)


def test_what_it_reads(run):
    router = run("Idle -> Discard")
    assert router.handlers.read("", "timewarp") == "1"
    for written, read in (("2.50", "2.5"), ("nowait", "nowait"), ("1e3", "1000")):
        router.handlers.write("", "timewarp", written)
        assert router.handlers.read("", "timewarp") == read


@pytest.mark.parametrize("text, says", [("fast", "expected double"), ("0", "must be > 0"), ("-1", "must be > 0"), ("inf", "must be > 0")])
def test_mistakes_change_nothing(run, text, says):
    router = run("Idle -> Discard")
    router.handlers.write("", "timewarp", "2")
    with pytest.raises((HandlerError, ArgError), match=says):
        router.handlers.write("", "timewarp", text)
    assert router.handlers.read("", "timewarp") == "2"


def test_simulated_time_and_that_of_devices_cannot_be_changed(run):
    """The kernel path has the machine's time."""
    for router, pace in ((run("Idle -> Discard", clock=SECOND), "simulation"), (run("FromDevice(eth0) -> Discard"), "1")):
        assert router.handlers.read("", "timewarp") == pace
        with pytest.raises(HandlerError, match="no 'timewarp' write handler"):
            router.handlers.write("", "timewarp", "2")


def test_a_router_that_takes_its_place_goes_on_at_its_pace(run):
    router = run("Idle -> Discard")
    router.handlers.write("", "timewarp", "1000")
    first = look(router)
    new = Runtime(Compilation(checked("Idle -> Discard")), replaces=router)
    try:
        new.initialise()
        time.sleep(0.05)
        assert ran_at(1000, first, look(new))
        assert new.handlers.read("", "timewarp") == "1000"
    finally:
        new.close()
