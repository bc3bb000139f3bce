from __future__ import annotations

import math
from array import array

from clickbpf.declare import (
    ANEW, PUSH, SAME, USER, ArgError, Array, Bool, Companion, ElementRef, Held, Integer, Keyword, Required, Vars,
    read_handler, shift_word, u32, u64,
)

from ._number import OFFSET, USUAL_OFFSET

#: N's default and maximum.
ROOM, MOST = 1 << 20, 1 << 24
#: Handlers for percentiles.
PERCENTILES = {"perc00": 0, "perc01": 1, "perc05": 5, "perc10": 10, "perc25": 25, "median": 50}
PERCENTILES |= {"perc75": 75, "perc90": 90, "perc95": 95, "perc99": 99, "perc100": 100}


def room(element: TimestampDiff) -> int:
    return element.cfg.n or ROOM


def _percentile_handler(name: str, percent: int):
    def read(self: TimestampDiff, text: str) -> str:
        return str(percentile(self._delays(text), percent))

    return read_handler(name)(read)


class TimestampDiff(Companion, ports="1/1-2", processing=PUSH, runs=USER):
    """measures how long numbered packets took

    A class of FastClick. A packet's delay is the time since its number was recorded by RECORDER, in microseconds. Packets whose
    time isn't known, or was read before, leave by output 1 or are dropped. Delays beyond MAXDELAY are reported, but not kept.

    Handlers (read), which take the number of the first delay to use, by default 0:

      - `average`, `avg`, `min`, `max`, `stddev`: of the delays. (FastClick's `stddev` is the deviation from 0.)
      - `perc00`, `perc01`, `perc05`, `perc10`, `perc25`, `median`, `perc75`, `perc90`, `perc95`, `perc99`, `perc100`: percentiles.
      - `perc P`, `avg_tc TC`: any percentile; the average delay of packets whose byte at TC_OFFSET, masked, is TC.
      - `index`: the number of the last delay, from 0; -1 without any. `last`: that delay.
      - `dump`, `dump_list`: all delays, a line each, with or without their number.

    Example: how long do packets take from eth0 to eth1?

        InfiniteSource(LENGTH 100, LIMIT 10000) -> NumberPacket(60) -> sent :: RecordTimestamp(OFFSET 60) -> Queue -> ToDevice(eth0);
        FromDevice(eth1) -> took :: TimestampDiff(sent, OFFSET 60) -> Discard;
    """

    args = (
        Required("RECORDER", ElementRef("RecordTimestamp"), "a RecordTimestamp, whose NET_ORDER counts"),
        Keyword("OFFSET", OFFSET, USUAL_OFFSET, "where the number is, in bytes from the start of the packet"),
        Keyword("N", Integer(32, high=MOST), 0, f"how many delays are kept, at most {MOST}. Default {ROOM}"),
        Keyword("MAXDELAY", Integer(32, high=(1 << 31) - 1), 1000, "in milliseconds"),
        Keyword("NANO", Bool(), False, "whether delays are in nanoseconds"),
        Keyword("SAMPLE", Integer(32, low=1), 1, "look up only one in this many numbers"),
        Keyword("VERBOSE", Bool(), True, "whether to report delays beyond MAXDELAY"),
        Keyword("TC_OFFSET", Integer(32, signed=True), -1, "a byte of the packet, and which bits of it, by which `avg_tc` groups packets. "
            "Default none"),
        Keyword("TC_MASK", Integer(8), 0xFF, SAME),
    )
    #: The first `count` of `delays` are valid.
    state_types = {"vars": Vars(count=u64), "delays": Array(room, delay=u32, tc=u32)}
    holds = (Held("delays of packets", ANEW, ANEW),)
    derived = {"room": ("__u64", room)}

    # -- what is read -----------------------------------------------------------------------------------------------------

    def _delays(self, text: str, tc: int | None = None) -> list[int]:
        """The delays from a number on, of all packets or of those with a TC byte."""
        first = Integer(32).parse(text.strip()) if text.strip() else 0
        words = array("I", self.state.delays.content()[: 8 * self.state.vars.count])
        delays = zip(words[::2], words[1::2])
        return [delay for i, (delay, of) in enumerate(delays) if i >= first and tc in (None, of)]

    average = read_handler(lambda self, text: _show(mean(self._delays(text))))

    avg = average

    @read_handler
    def avg_tc(self, text: str) -> str:
        byte, rest = shift_word(text.strip())
        return _show(mean(self._delays(rest, Integer(8).parse(byte))))

    @read_handler("min")
    def least(self, text: str) -> str:
        return str(min(self._delays(text), default=0))

    @read_handler("max")
    def most(self, text: str) -> str:
        return str(max(self._delays(text), default=0))

    @read_handler
    def stddev(self, text: str) -> str:
        delays = self._delays(text)
        middle = mean(delays)
        return _show(math.sqrt(mean([(delay - middle) ** 2 for delay in delays])))

    @read_handler
    def perc(self, text: str) -> str:
        wanted, rest = shift_word(text.strip())
        try:
            percent = float(wanted)
        except ValueError:
            percent = -1.0
        if not 0 <= percent <= 100:
            raise ArgError(f"'{wanted}' is no percentile", "a number from 0 to 100")
        return _show(percentile(self._delays(rest), percent))

    perc00, perc01, perc05, perc10, perc25, median, perc75, perc90, perc95, perc99, perc100 = map(
        _percentile_handler, PERCENTILES, PERCENTILES.values()
    )

    index = read_handler(lambda self: str(self.state.vars.count - 1))
    last = read_handler(lambda self: str(([0] + self._delays(""))[-1]))
    dump = read_handler(lambda self: "".join(f"{i}: {delay}\n" for i, delay in enumerate(self._delays(""))))
    dump_list = read_handler(lambda self: "".join(f"{delay}\n" for delay in self._delays("")))


def mean(values: list) -> float:
    return sum(values) / len(values) if values else 0


def percentile(values: list[int], percent: float) -> int:
    """A percentile, with its index rounded down as in FastClick."""
    if not values:
        return 0
    return sorted(values)[min(int(percent * len(values) / 100), len(values) - 1)]


def _show(value: float) -> str:
    return f"{value:.12g}"
