from clickbpf.declare import (
    ANEW, NOWHERE, PUSH, ArgError, Bool, Bytes, Context, Held, Integer, Keyword, Optional, Time, field_handlers, u8, u32, u64,
)

from ._source import DEFAULT_DATA, LIMIT, Source

INTERVAL = Time()
HALF_A_SECOND = 500_000_000
HEADROOM = Integer(32, high=1 << 16)


class WrittenInterval(Time):
    """A time written to the handler `interval`."""

    def parse(self, text: str, context: Context = NOWHERE) -> int:
        interval = super().parse(text, context)
        if not interval:
            raise ArgError("bad interval", "expected more than 0")
        return interval


class TimedSource(Source, processing=PUSH):
    """generates packets at regular intervals

    Pushes a packet of DATA each INTERVAL, the first one after an INTERVAL.

    Handlers:

      - `reset` (write): sets `count` to 0; then LIMIT more packets are made, the first one at once.

    Example: TimedSource(0.333, "hello") -> Queue -> Discard;
    """

    args = (
        Optional("INTERVAL", INTERVAL, HALF_A_SECOND, "a time, in seconds where no unit is given"),
        Optional("DATA", Bytes(), DEFAULT_DATA, "data of the packets. Default is some text of more than 64 bytes"),
        Keyword("LIMIT", LIMIT, -1, "how many packets to make; for ever if it is negative"),
        Keyword("ACTIVE", Bool(), True, "false to make none"),
        Keyword("STOP", Bool(), False, "whether to stop the driver once LIMIT packets are made"),
        Keyword("HEADROOM", HEADROOM, 28, "bytes of room in front of the packets", setting="source"),
    )
    state_types = {"source": Source.state_of(headroom=u32, interval=u64, due=u64, waiting=u8)}
    holds = (Held("how many packets it has made", ANEW, ANEW),)

    def changed(self) -> None:
        """A change applies to the next packet."""

    interval = field_handlers("source", WrittenInterval())
