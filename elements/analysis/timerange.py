from __future__ import annotations

from clickbpf.args import Bool, Keyword
from clickbpf.vocabulary.element import USER, Element, read_handler, write_handler
from clickbpf.vocabulary.held import ANEW, Held
from clickbpf.vocabulary.state import Vars, s64

from ..timestamps._time import unparse_timestamp


class TimeRange(Element):
    """reports the earliest and the latest timestamp of the packets that pass

    Synopsis: `TimeRange([SIMPLE ...])`

    Arguments:

      - SIMPLE: Boolean. Timestamps never go back, so the latest one is the last. Default is false.

    Ports: one input, one output.

    Handlers:

      - `first`, `last` (read): the earliest and the latest timestamp, 0.000000 if no packet has passed.
      - `range` (read): both.
      - `interval` (read): the time between them, in seconds.
      - `reset` (write): forgets them.

    Example:

        FromDump(trace.pcap, STOP true) -> t :: TimeRange -> Discard;
        DriverManager(pause, print t.interval);
    """

    runs = USER
    args = (Keyword("SIMPLE", Bool(), False),)
    state_types = {"vars": Vars(first=s64, last=s64)}
    holds = (Held("the first and the last time", ANEW, ANEW),)

    @read_handler
    def first(self) -> str:
        return f"{unparse_timestamp(self.state.vars.first)}\n"

    @read_handler
    def last(self) -> str:
        return f"{unparse_timestamp(self.state.vars.last)}\n"

    @read_handler("range")
    def both(self) -> str:
        return f"{unparse_timestamp(self.state.vars.first)} {unparse_timestamp(self.state.vars.last)}"

    @read_handler
    def interval(self) -> str:
        return unparse_timestamp(self.state.vars.last - self.state.vars.first)

    @write_handler
    def reset(self, text: str) -> None:
        self.state.vars.first = self.state.vars.last = 0
