from __future__ import annotations

from clickbpf.args import Bool, Integer, Keyword, Optional
from clickbpf.vocabulary.element import Element, read_handler, write_handler
from clickbpf.vocabulary.held import ANEW, KEPT, Held
from clickbpf.vocabulary.state import PerThread, Vars, u64

#: The clock's ticks in a second: it counts milliseconds.
FREQUENCY = 1000
#: Bytes of a frame on the wire that it doesn't have here: preamble and gap (IEEE 802.3, 4A.2); the frame check sequence.
GAP, CHECK = 20, 4


class AverageCounter(Element):
    """counts packets, and averages their rate over the whole time

    Synopsis: `AverageCounter([IGNORE, LINK_FCS, MAX ...])`

    The time is that from the first packet to the latest one. AverageCounterMP and AverageCounterIMP, which FastClick has for several
    threads, are other names of the class.

    Arguments:

      - IGNORE: seconds after the first packet during which packets are not counted; the rate is that of the time
        afterwards. Default 0.
      - LINK_FCS: Boolean. Whether a packet's bytes on the wire, for `link_count` and `link_rate`, include the frame check sequence. Default
        is true.
      - MAX: seconds after the first packet from which on packets are not counted any more. Default is 0, for no end.

    Ports: one input, one output.

    Handlers:

      - `count`, `byte_count` (read): packets and bytes counted since the start or the last reset.
      - `bit_count`, `link_count` (read): bits of packets; and bits that an Ethernet is busy for, with preamble and gap.
      - `rate`, `byte_rate`, `bit_rate`, `link_rate` (read): packets, bytes and bits per second.
      - `time` (read): seconds of the time.
      - `reset`, `reset_now` (write): start again: the next packet is the first one.

    Example:

        FromDevice(eth0) -> AverageCounter(5) -> Discard;
    """

    aliases = ("AverageCounterMP", "AverageCounterIMP")
    args = (Optional("IGNORE", Integer(), 0), Optional("LINK_FCS", Bool(), True), Keyword("MAX", Integer(), 0))
    #: Times are milliseconds of now(), 0 for none. Only the executors write to counters: a reset remembers what they were.
    state_types = {
        "counters": PerThread(count=u64, byte_count=u64, last=u64),
        "vars": Vars(first=u64, count_at_reset=u64, byte_count_at_reset=u64),
    }
    holds = (Held("when it began to count", ANEW, KEPT),)
    weight = 45

    def _count(self, field: str) -> int:
        return self.state.counters.sum(field) - getattr(self.state.vars, f"{field}_at_reset")

    def _bits_on_link(self) -> int:
        around = GAP + (CHECK if self.cfg.link_fcs else 0)
        return 8 * (self._count("byte_count") + self._count("count") * around)

    def _duration(self) -> int:
        """Milliseconds, 1 at least."""
        last = max(counters.last for counters in self.state.counters)
        return max(1, last - self.state.vars.first - self.cfg.ignore * FREQUENCY)

    def _rate(self, count: int) -> str:
        return f"{count * FREQUENCY / self._duration():.12g}"

    @read_handler
    def count(self) -> str:
        return str(self._count("count"))

    @read_handler
    def byte_count(self) -> str:
        return str(self._count("byte_count"))

    @read_handler
    def bit_count(self) -> str:
        return str(8 * self._count("byte_count"))

    @read_handler
    def link_count(self) -> str:
        return str(self._bits_on_link())

    @read_handler
    def rate(self) -> str:
        return self._rate(self._count("count"))

    @read_handler
    def byte_rate(self) -> str:
        return self._rate(self._count("byte_count"))

    @read_handler
    def bit_rate(self) -> str:
        return self._rate(8 * self._count("byte_count"))

    @read_handler
    def link_rate(self) -> str:
        return self._rate(self._bits_on_link())

    @read_handler
    def time(self) -> str:
        return f"{self._duration() / FREQUENCY:.12g}"

    @write_handler
    def reset(self, text: str) -> None:
        for field in ("count", "byte_count"):
            setattr(self.state.vars, f"{field}_at_reset", self.state.counters.sum(field))
        self.state.vars.first = 0

    reset_now = reset
