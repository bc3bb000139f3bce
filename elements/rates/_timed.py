"""The base of TimedUnqueue and Burster."""

from enum import IntEnum

from clickbpf.declare import (
    ANEW, PULL_TO_PUSH, USER, ArgError, Argument, Element, Held, Integer, Optional, Private, Required, Time, u8, u64,
)


class Patience(IntEnum):
    """Empty intervals in a row before the timer stops."""

    MOST_IN_VAIN = 9


class TimedElement(Element, processing=PULL_TO_PUSH, runs=USER):
    """Pulls up to BURST packets each INTERVAL."""

    wakes = ("init",)
    enums = (Patience,)
    #: `due`: the end of the interval, by now(); 0 outside one.
    state_types = {"timed": Private(due=u64, resting=u8, in_vain=u8)}
    holds = (Held("when the interval ends", ANEW, ANEW),)

    def configure(self) -> None:
        if self.cfg.burst <= 0:
            raise ArgError("bad BURST", "expected a positive number of packets", argument="BURST")


def timed_args(burst: int) -> tuple[Argument, ...]:
    return (Required("INTERVAL", Time(digits=3), "Time, in milliseconds"), Optional("BURST", Integer(32, signed=True), burst, "Integer"))
