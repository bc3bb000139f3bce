"""The time of day in the kernel, which programs make of CLOCK_TAI, is right whenever somebody sets the number of leap seconds."""

import time

import pytest
from tests.attached import compiled, running

from clickbpf.load.path import kernelpath
from clickbpf.testing.traffic import RawPort

pytestmark = pytest.mark.needs("root", "ip", "clang-19")
LEAP_SECONDS = 37 * 10**9
TEXT = "FromDevice(eth0) -> SetTimestamp -> StoreTimestamp(20) -> Queue -> ToDevice(eth1); FromDevice(eth1) -> Discard;"


def test_leap_seconds_that_are_set_while_the_router_runs(place, monkeypatch):
    """The machine's are everybody's, so the clock stays, and what the router learns of it changes."""
    router, outside = place
    with running(router, compiled(TEXT)) as attached, RawPort(outside, "in0") as entry, RawPort(outside, "in1") as leaving:

        def ahead() -> float:
            """Nanoseconds by which a packet's timestamp is ahead of the time of day."""
            entry.send(bytes(12) + b"\x88\xb5" + bytes(50))
            return int.from_bytes(leaving.receive(10)[20:28], "little") - time.time_ns()

        assert -5 * 10**9 < ahead() <= 0
        told = kernelpath.tai_ahead() + LEAP_SECONDS
        monkeypatch.setattr(kernelpath, "tai_ahead", lambda: told)
        attached.wait(0)
        assert -5 * 10**9 < ahead() + LEAP_SECONDS <= 0
