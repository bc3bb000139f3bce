from __future__ import annotations

from clickbpf.vocabulary.element import Element, read_handler, sum_handler, write_handler
from clickbpf.vocabulary.state import PerThread, s64, u64

from ..timestamps._time import unparse_timestamp


class TimestampAccum(Element):
    """adds up the time that has passed since packets' timestamps

    Synopsis: `TimestampAccum`

    Ports: one input, one output.

    Handlers:

      - `count` (read): packets that have passed.
      - `time` (read): seconds since their timestamps, all together.
      - `average_time` (read): the same for one packet.
      - `reset_counts` (write): sets both to 0.

    Example:

        FromDevice(eth0) -> SetTimestamp -> Queue -> Unqueue -> t :: TimestampAccum -> Discard;
    """

    annotations = ("TIMESTAMP",)
    bears_offloads = True
    state_types = {"counters": PerThread(count=u64, time=s64)}
    weight = 30

    count = sum_handler("counters")

    @read_handler
    def time(self) -> str:
        return unparse_timestamp(self.state.counters.sum("time"))

    @read_handler
    def average_time(self) -> str:
        count = self.state.counters.sum("count")
        return unparse_timestamp(self.state.counters.sum("time") // count) if count else "0"

    @write_handler
    def reset_counts(self, text: str) -> None:
        self.state.counters.clear()
