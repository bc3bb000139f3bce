from clickbpf.declare import (
    ANEW, WORD, AlignmentRule, ArgError, Bool, Bytes, Handler, HandlerCall, Held, Integer, Keyword, Optional, OwnHandlers,
    Reconfigurable, Self, field_handlers, u32,
)

from ._source import DEFAULT_DATA, LENGTH, LIMIT, SizedSource


class InfiniteSource(Reconfigurable, OwnHandlers, SizedSource, processing="a"):
    """generates packets whenever scheduled

    Makes packets of DATA: pushes BURST of them each time it is scheduled, or returns one for each pull. Stops after LIMIT packets,
    and sleeps while all downstream Queues are full.

    Handlers: `count`, packets made; `reset` sets it to 0, and LIMIT more are made; `data`, `length`, `limit`, `burst`, `active`
    (read/write).

    Example: InfiniteSource(DATA \\<00 01 02 03>, LIMIT 5, STOP true) -> Queue -> Discard;
    """

    alignment = AlignmentRule(gives=WORD)
    args = (
        Optional("DATA", Bytes(), DEFAULT_DATA, "Data of the packets. Default is some text of more than 64 bytes"),
        Optional("LIMIT", LIMIT, -1, "Integer. Packets to make, for ever if negative"),
        Optional("BURST", Integer(32, signed=True), 1, "Integer"),
        Optional("ACTIVE", Bool(), True, "Boolean. If false, makes no packets"),
        Keyword("TIMESTAMP", Bool(), True, "Boolean. Set the packets' timestamp to the current time"),
        Keyword("LENGTH", LENGTH, -1, "Integer. If not negative, the packets' length: DATA is truncated or repeated"),
        Keyword("DATASIZE", LENGTH, -1),
        Keyword("STOP", Bool(), False, "Boolean. Stop the driver once LIMIT packets are made"),
        Keyword("END_CALL", HandlerCall(), text="A write handler called once LIMIT packets are made; not with STOP"),
    )
    state_types = {"source": SizedSource.state_of(burst=u32)}
    holds = (Held("how many packets it has made", ANEW, ANEW),)
    derived = {"calls": ("bool", lambda self: self.cfg.calls)}

    def configure(self) -> None:
        cfg = self.cfg
        if cfg.burst < 1:
            raise ArgError("burst size must be >= 1", argument="BURST")
        if cfg.stop and cfg.end_call:
            raise ArgError("END_CALL and STOP are mutually exclusive", argument="STOP")
        if cfg.length < 0:
            cfg.length = cfg.datasize
        cfg.calls = bool(cfg.end_call)

    def reconfigure(self, wanted: Self) -> None:
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
