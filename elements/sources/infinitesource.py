from __future__ import annotations

from clickbpf.args import Bool, Bytes, HandlerCall, Integer, Keyword, Optional
from clickbpf.args.error import ArgError
from clickbpf.vocabulary.alignment import WORD, AlignmentRule
from clickbpf.vocabulary.element import Handler, field_handlers
from clickbpf.vocabulary.held import ANEW, Held
from clickbpf.vocabulary.state import u32

from ._source import DEFAULT_DATA, LENGTH, LIMIT, SizedSource


class InfiniteSource(SizedSource):
    """generates packets whenever scheduled

    Synopsis: `InfiniteSource([DATA, LIMIT, BURST, ACTIVE, KEYWORD ...])`

    Makes packets of DATA and pushes BURST of them each time it is scheduled; where it is pulled from, it always has a
    packet. It stops after LIMIT packets, and sleeps while all Queues that it leads to are full.

    Arguments:

      - DATA: Data of the packets. Default is some text of more than 64 bytes.
      - LIMIT: Integer. Packets to make, for ever if negative. Default is -1.
      - BURST: Integer. Default is 1.
      - ACTIVE: Boolean. If false, it makes none. Default is true.
      - LENGTH: Integer. If not negative, the packets' length: DATA is cut or repeated.
      - STOP: Boolean. Stop the driver once LIMIT packets are made. Default is false.
      - END_CALL: A write handler called once LIMIT packets are made; not with STOP.
      - TIMESTAMP: Boolean. Set the packets' timestamp to the current time. Default is true.

    Handlers: `count`, packets made; `reset` sets it to 0, after which LIMIT more are made; `data`, `length`, `limit`,
    `burst`, `active` (read/write).

    Example:

        InfiniteSource(DATA \\<00 01 02 03>, LIMIT 5, STOP true) -> Queue -> Discard;
    """

    alignment = AlignmentRule(gives=WORD)
    processing = "a"
    entries = ("pull", "task", "init", "control")
    reconfigurable = True
    args = (
        Optional("DATA", Bytes(), DEFAULT_DATA),
        Optional("LIMIT", LIMIT, -1),
        Optional("BURST", Integer(32, signed=True), 1),
        Optional("ACTIVE", Bool(), True),
        Keyword("TIMESTAMP", Bool(), True),
        Keyword("LENGTH", LENGTH, -1),
        Keyword("DATASIZE", LENGTH, -1),
        Keyword("STOP", Bool(), False),
        Keyword("END_CALL", HandlerCall()),
    )
    state_types = {"source": SizedSource.state_of(burst=u32)}
    holds = (Held("how many packets it has made", ANEW, ANEW),)

    def configure(self) -> None:
        cfg = self.cfg
        if cfg.burst < 1:
            raise ArgError("burst size must be >= 1", argument="BURST")
        if cfg.stop and cfg.end_call:
            raise ArgError("END_CALL and STOP are mutually exclusive", argument="STOP")
        if cfg.length < 0:
            cfg.length = cfg.datasize
        cfg.calls = bool(cfg.end_call)

    def constants(self):
        return {"calls": ("bool", Bool().c_value(self.cfg.calls))}

    def reconfigure(self, wanted: InfiniteSource) -> None:
        """As in Click, packets are counted from 0 again."""
        self.state.source.count = 0
        super().reconfigure(wanted)

    def find_handler(self, name: str) -> Handler | None:
        """Click's older names."""
        return self.handlers().get({"burstsize": "burst", "datasize": "length"}.get(name))

    def called(self, value: int) -> None:
        """LIMIT is reached."""
        self.runtime.write(self.cfg.end_call)

    burst = field_handlers("source", Integer(32, low=1), "go")
