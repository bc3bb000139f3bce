from __future__ import annotations

from clickbpf.args import Integer, Optional
from clickbpf.vocabulary.element import Element, read_handler, write_handler
from clickbpf.vocabulary.state import PerThread, Vars, u64

#: The clock's ticks in a second: it counts milliseconds.
FREQUENCY = 1000


class AverageCounter(Element):
    """counts packets, and averages their rate over the whole time

    Synopsis: `AverageCounter([IGNORE])`

    The time is that from the first packet to the latest one.

    Arguments:

      - IGNORE: seconds after the first packet during which packets are not counted; the rate is that of the time
        afterwards. Default 0.

    Ports: one input, one output.

    Handlers:

      - `count`, `byte_count` (read): packets and bytes counted since the start or the last reset.
      - `rate`, `byte_rate` (read): packets and bytes per second.
      - `reset` (write): starts again: the next packet is the first one.

    Example:

        FromDevice(eth0) -> AverageCounter(5) -> Discard;
    """

    args = (Optional("IGNORE", Integer(), 0),)
    #: Times are milliseconds of now(), 0 for none. Only the executors write to counters: a reset remembers what they were.
    state_types = {
        "counters": PerThread(count=u64, byte_count=u64, last=u64),
        "vars": Vars(first=u64, count_at_reset=u64, byte_count_at_reset=u64),
    }
    weight = 45

    def _count(self, field: str) -> int:
        return self.state.counters.sum(field) - getattr(self.state.vars, f"{field}_at_reset")

    def _rate(self, field: str) -> str:
        last = max(counters.last for counters in self.state.counters)
        duration = last - self.state.vars.first - self.cfg.ignore * FREQUENCY
        return f"{self._count(field) * FREQUENCY / max(1, duration):.12g}"

    @read_handler
    def count(self) -> str:
        return str(self._count("count"))

    @read_handler
    def byte_count(self) -> str:
        return str(self._count("byte_count"))

    @read_handler
    def rate(self) -> str:
        return self._rate("count")

    @read_handler
    def byte_rate(self) -> str:
        return self._rate("byte_count")

    @write_handler
    def reset(self, text: str) -> None:
        for field in ("count", "byte_count"):
            setattr(self.state.vars, f"{field}_at_reset", self.state.counters.sum(field))
        self.state.vars.first = 0
