from __future__ import annotations

from enum import IntEnum

from clickbpf.args import Enum, Keyword
from clickbpf.vocabulary.element import Element, read_handler, write_handler
from clickbpf.vocabulary.held import ANEW, KEPT, Held
from clickbpf.vocabulary.state import Vars, s64

from ._time import unparse_timestamp


class Difference(IntEnum):
    """To which time."""

    RANGE, NOW, FIRST = range(3)


class SetTimestampDelta(Element):
    """replaces packets' timestamps by differences of times

    Synopsis: `SetTimestampDelta([TYPE ...])`

    A packet without a timestamp passes unchanged. Differences may be negative.

    Arguments:

      - TYPE: the difference. RANGE: from the first timestamp that it met to the packet's. NOW: from the packet's timestamp
        until now. FIRST: from the packet's FIRST_TIMESTAMP annotation to its timestamp. Default RANGE.

    Ports: one input, one output.

    Handlers:

      - `first` (read): the first timestamp that it met, for RANGE; 0 if none.
      - `reset` (write): forgets it.

    Example:

        FromDevice(eth0) -> SetTimestampDelta -> Print(TIMESTAMP true) -> Discard;
    """

    annotations = ("TIMESTAMP",)
    bears_offloads = True
    args = (Keyword("TYPE", Enum(*Difference.__members__), "RANGE"),)
    enums = (Difference,)
    state_types = {"vars": Vars(first=s64)}
    holds = (Held("the first time", ANEW, KEPT),)
    weight = 30

    @read_handler
    def first(self) -> str:
        return f"{unparse_timestamp(self.state.vars.first)}\n"

    @write_handler
    def reset(self, text: str) -> None:
        self.state.vars.first = 0
