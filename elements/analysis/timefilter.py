import re
import sys

from clickbpf.declare import (
    ANEW, SAME, USER, ArgError, Bool, ClickError, Element, HandlerCall, HandlerName, Held, Keyword, Optional, Private,
    s64, u8, value_handlers,
)

from ..timestamps._time import SPAN, unparse_timestamp

FOREVER = (1 << 63) - 1


class TimeFilter(Element, ports="1/1-2", processing="a/ah", runs=USER):
    """lets packets of a span of time pass

    A packet passes if its timestamp is at least the start and before the end; others leave by output 1 or are dropped.

    At most one start and one end can be given.

    Example: FromDump(trace.pcap) -> TimeFilter(START_AFTER 1min, INTERVAL 10s, STOP true) -> ToDump(part.pcap);
    """

    args = (
        Optional("START", SPAN, text="Time, seconds since 1970"),
        Optional("END", SPAN, text=SAME),
        Keyword("START_DELAY", SPAN, text="Time, counted from when the router starts"),
        Keyword("END_DELAY", SPAN, text=SAME),
        Keyword("START_AFTER", SPAN, text="Time, counted from the first packet"),
        Keyword("END_AFTER", SPAN, text=SAME),
        Keyword("INTERVAL", SPAN, text="Time. The end is this time after the start"),
        Keyword("STOP", Bool(), False, "Boolean. Stop the driver at the first packet at or after the end"),
        Keyword("END_CALL", HandlerCall(), text="A write handler to call for that packet; `$t` in its value is the packet's timestamp. If "
            "the handler moves the end, the packet passes. Not with STOP"),
    )
    state_types = {"filter": Private(first=s64, last=s64, called_at=s64, ready=u8, armed=u8)}
    holds = (Held("when the first packet came", ANEW, ANEW),)
    derived = {
        "first_is_relative": ("bool", lambda self: not self.cfg.start and not self.cfg.start_delay),
        "last_is_relative": ("bool", lambda self: self.cfg.end_after),
        "last_is_interval": ("bool", lambda self: self.cfg.interval),
    }

    def configure(self) -> None:
        cfg = self.cfg
        self._one_of("START", "START_AFTER", "START_DELAY")
        self._one_of("END", "END_AFTER", "END_DELAY", "INTERVAL")
        if cfg.stop and cfg.end_call:
            raise ArgError("END_CALL and STOP are mutually exclusive", argument="END_CALL")

    def _one_of(self, *names: str) -> None:
        given = [name for name in names if getattr(self.cfg, name.lower())]
        if len(given) > 1:
            raise ArgError(f"{', '.join(names[:-1])} and {names[-1]} are mutually exclusive", argument=given[1])

    def initialise(self) -> None:
        cfg, state = self.cfg, self.state.filter
        state.first = cfg.start or cfg.start_delay or cfg.start_after or 0
        state.last = cfg.end or cfg.end_after or cfg.end_delay or cfg.interval or FOREVER
        state.armed = bool(cfg.stop or cfg.end_call)
        now = self.runtime.wall_clock() if cfg.start_delay or cfg.end_delay else 0
        state.first += now if cfg.start_delay else 0
        state.last += now if cfg.end_delay else 0

    # -- the call at the end -----------------------------------------------------------------------------------------

    def called(self, value: int) -> None:
        """A packet at or after the end has come."""
        call, time = self.cfg.end_call, unparse_timestamp(self.state.filter.called_at)
        try:
            self.runtime.write(HandlerName(call.element, call.handler, re.sub(r"\$(t\b|\{t\})", time, call.value)))
        except ClickError as error:
            sys.stderr.write(f"{self.name}: {error.render()}")

    # -- handlers ----------------------------------------------------------------------------------------------------

    def _set_start(self, start: int) -> None:
        state = self.state.filter
        if not state.ready:
            state.ready = True
            state.last += start if self.cfg.end_after or self.cfg.interval else 0
        state.first = start

    def _set_end(self, time: int) -> None:
        self.state.filter.last = min(time, FOREVER)
        self.state.filter.armed = bool(self.cfg.stop or self.cfg.end_call)

    start = value_handlers(SPAN, lambda self: unparse_timestamp(self.state.filter.first), _set_start,
        text="the start, in seconds since 1970.")
    end = value_handlers(SPAN, lambda self: unparse_timestamp(self.state.filter.last), _set_end, text="the end, in seconds since 1970.")
    interval = value_handlers(SPAN, lambda self: unparse_timestamp(self.state.filter.last - self.state.filter.first),
        lambda self, span: self._set_end(self.state.filter.first + span), text="the time between them; writing moves the end.")
    extend_interval = value_handlers(SPAN, None, lambda self, span: self._set_end(self.state.filter.last + span),
        text="moves the end by this time.")
