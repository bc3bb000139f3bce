from __future__ import annotations

from clickbpf.args import ArgError, Bool, Bytes, Integer, Keyword, Optional, Time
from clickbpf.args.types.quantity import unparse_time
from clickbpf.vocabulary.element import PUSH, field_handlers, read_handler, write_handler
from clickbpf.vocabulary.held import ANEW, Held
from clickbpf.vocabulary.state import u8, u32, u64

from ._source import DEFAULT_DATA, LIMIT, Source

INTERVAL = Time()
HALF_A_SECOND = 500_000_000
HEADROOM = Integer(32, high=1 << 16)


class TimedSource(Source):
    """generates packets at regular intervals

    Synopsis: `TimedSource([INTERVAL, DATA, KEYWORD ...])`

    Pushes a packet of DATA each INTERVAL, the first one after an INTERVAL.

    Arguments:

      - INTERVAL: a time, in seconds where no unit is given. Default 500ms.
      - DATA: data of the packets. Default is some text of more than 64 bytes.
      - LIMIT: how many packets to make; for ever if it is negative. Default -1.
      - ACTIVE: false to make none. Default true.
      - STOP: whether to stop the driver once LIMIT packets are made. Default false.
      - HEADROOM: bytes of room in front of the packets. Default 28.

    Ports: one push output.

    Handlers:

      - `count` (read): packets made.
      - `reset` (write): sets `count` to 0, after which LIMIT more are made, the first one at once.
      - `interval`, `data`, `limit`, `headroom` (read, write): the arguments.
      - `active` (read, write): ACTIVE. When it becomes true, the first packet comes at once.

    Example:

        TimedSource(0.333, "hello") -> Queue -> Discard;
    """

    processing = PUSH
    entries = ("init", "timer", "control")
    args = (
        Optional("INTERVAL", INTERVAL, HALF_A_SECOND),
        Optional("DATA", Bytes(), DEFAULT_DATA),
        Keyword("LIMIT", LIMIT, -1),
        Keyword("ACTIVE", Bool(), True),
        Keyword("STOP", Bool(), False),
        Keyword("HEADROOM", HEADROOM, 28),
    )
    state_types = {"source": Source.state_of(headroom=u32, interval=u64, due=u64, waiting=u8)}
    holds = (Held("how many packets it has made", ANEW, ANEW),)

    def initialise(self) -> None:
        super().initialise()
        self.state.source.interval, self.state.source.headroom = self.cfg.interval, self.cfg.headroom

    def changed(self) -> None:
        """What is new holds for the next packet."""

    @read_handler("interval")
    def read_interval(self) -> str:
        return unparse_time(self.state.source.interval)

    @write_handler("interval")
    def write_interval(self, text: str) -> None:
        self.state.source.interval = parse_interval(text)

    headroom = field_handlers("source", HEADROOM)


def parse_interval(text: str) -> int:
    """What is written to a handler `interval`, in nanoseconds."""
    interval = INTERVAL.parse(text.strip())
    if not interval:
        raise ArgError("bad interval", "expected more than 0")
    return interval
