from clickbpf.declare import (
    ANEW, WORD, AlignmentRule, ArgError, Bandwidth, Bool, Bytes, Held, Integer, Keyword, Optional, value_handlers,
    write_handler,
)

from ..common._bucket import BUCKET, FULL, assign, assigned_rate, fill
from ._source import DEFAULT_DATA, LENGTH, LIMIT, SizedSource

RATE = Integer(32)


class RatedSource(SizedSource, processing="a"):
    """generates packets at a rate

    Makes RATE packets of DATA per second: pushes them, one each time it is scheduled, or returns them to pulls. It catches up on at
    most 10 ms, or two packets, and starts that far behind.

    Handlers:

      - `data`, `length`, `rate`, `limit`, `active` (read, write): the arguments; `datasize` is an old name of `length`.

    Example: RatedSource("hello", 1000, LIMIT 5000, STOP true) -> Queue -> Discard;
    """

    alignment = AlignmentRule(gives=WORD)
    args = (
        Optional("DATA", Bytes(), DEFAULT_DATA, "data of the packets. Default is some text of more than 64 bytes"),
        Optional("RATE", RATE, 10, "packets per second"),
        Optional("LIMIT", LIMIT, -1, "how many packets to make; for ever if it is negative"),
        Optional("ACTIVE", Bool(), True, "false to make none"),
        Keyword("LENGTH", LENGTH, -1, "the packets' length, if not negative: DATA is truncated or repeated. DATASIZE is the old name"),
        Keyword("DATASIZE", LENGTH, -1),
        Keyword("STOP", Bool(), False, "whether to stop the driver once LIMIT packets are made"),
        Keyword("BANDWIDTH", Bandwidth(), text="bytes per second, instead of RATE: as many packets as fit"),
    )
    state_types = {"source": SizedSource.state_of(), "bucket": BUCKET}
    holds = (Held("how many packets it has made", ANEW, ANEW),)

    def configure(self) -> None:
        cfg = self.cfg
        if cfg.datasize >= 0:
            cfg.length = cfg.datasize
        if not cfg.bandwidth:
            return
        length = len(cfg.data) if cfg.length < 0 else cfg.length
        if not length:
            raise ArgError("packets without data have no bandwidth", "give DATA or LENGTH", argument="BANDWIDTH")
        cfg.rate = RATE.check(cfg.bandwidth // length)

    def initialise(self) -> None:
        super().initialise()
        burst = _burst(self.cfg.rate)
        if self.cfg.bandwidth:
            burst = max(burst, 2 * self.cfg.length)
        assign(self.state.bucket, self.cfg.rate, burst)
        fill(self.state.bucket, FULL if self.cfg.rate else 0)

    def _begin(self) -> None:
        """Start with a token for one packet."""
        fill(self.state.bucket, self.state.bucket.scale)

    def _set_rate(self, rate: int) -> None:
        assign(self.state.bucket, rate, _burst(rate))
        self.go()

    rate = value_handlers(RATE, lambda self: assigned_rate(self.state.bucket), _set_rate)

    def activated(self) -> None:
        self._begin()
        super().activated()

    @write_handler("reset")
    def reset(self, text: str) -> None:
        """sets `count` to 0; then LIMIT more packets are made."""
        self._begin()
        super().reset(text)

    datasize = SizedSource.length


def _burst(rate: int) -> int:
    """The most packets to catch up on."""
    return 2 if rate < 200 else rate // 100
