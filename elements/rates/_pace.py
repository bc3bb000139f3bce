"""The base of Shaper and BandwidthShaper: configuration and handlers of the even rates of pace.inc.h."""


from clickbpf.declare import ANEW, PULL, USER, Element, Held, Private, read_handler, s64, u32, value_handlers, write_handler

from ..common._bucket import rate_type
from ..common._warning import warn

#: The fractional bits of a gap in microseconds, and the resulting maximum of events per second.
GAP_SHIFT = 12
MOST = 10**6 << GAP_SHIFT


class PacedElement(Element, ports="1/1-2", processing=PULL, runs=USER):
    """A pull element that limits events to RATE per second; its first argument is RATE."""

    same_form = True
    operations = ("REPACE", "RESET")
    #: `count`: events since `second` began, including those charged to it in advance. `second` is negative before the first event.
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
            self.notify("REPACE")

    rate = value_handlers(rate_type, lambda self: self.state.pace.rate, _change_rate, argument="RATE")
    config = read_handler(lambda self: rate_type(self).unparse(self.state.pace.rate), text="RATE.")

    @write_handler
    def reset(self, text: str) -> None:
        """starts again, as if nothing had been sent."""
        self.state.pace.second = -1
        self.notify("RESET")
