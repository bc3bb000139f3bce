"""Even rates, as pace.inc.h keeps them: configuration and handlers of Shaper and BandwidthShaper."""

from enum import IntEnum

from clickbpf.declare import ANEW, PULL, USER, Element, Held, Private, read_handler, s64, u32, value_handlers, write_handler

from ..common._bucket import rate_type
from ..common._warning import warn

#: A gap's bits of fraction of a microsecond, and so the most events in a second.
GAP_SHIFT = 12
MOST = 10**6 << GAP_SHIFT


class Operation(IntEnum):
    """Operations of CONTROL."""

    REPACE, RESET = range(2)


class PacedElement(Element, ports="1/1-2", processing=PULL, runs=USER):
    """A pull element that lets RATE events pass each second; its first argument is RATE."""

    enums = (Operation,)
    #: `count` events happened, or may not happen any more, since `second` began; below 0, no second has.
    state_types = {"pace": Private(rate=u32, gap=u32, count=s64, second=s64)}
    holds = (Held("what it may send in this second", ANEW, ANEW),)

    def initialise(self) -> None:
        self.state.pace.second = -1
        self._set_rate(self.cfg.rate)

    def _set_rate(self, rate: int) -> None:
        if rate > MOST:
            warn(self, f"rate too large; lowered to {MOST}")
            rate = MOST
        self.state.pace.rate = rate
        self.state.pace.gap = MOST // rate if rate else MOST + 1

    def _change_rate(self, rate: int) -> None:
        before = self.state.pace.rate
        self._set_rate(rate)
        if self.state.pace.rate != before:
            self.notify(Operation.REPACE)

    rate = value_handlers(rate_type, lambda self: self.state.pace.rate, _change_rate)
    config = read_handler(lambda self: rate_type(self).unparse(self.state.pace.rate), text="RATE.")

    @write_handler
    def reset(self, text: str) -> None:
        """forgets what was sent so far."""
        self.state.pace.second = -1
        self.notify(Operation.RESET)
