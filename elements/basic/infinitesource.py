"""InfiniteSource: generates packets as fast as it is scheduled."""

from __future__ import annotations

import ctypes

from clickbpf.args import Bool, Bytes, HandlerCall, Integer, Keyword, Optional
from clickbpf.args.error import ArgError
from clickbpf.element import USER, Element, read_handler, write_handler
from clickbpf.state import Private, ptr, s64, u8, u32, u64

DEFAULT_DATA = b"A packet of an InfiniteSource that was told nothing about its data, 72 bytes"
RESCHEDULE = 0


class InfiniteSource(Element):
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

    ports = "0/1"
    processing = "a"
    runs = USER
    entries = ("pull", "task", "init", "control")
    args = (
        Optional("DATA", Bytes(), DEFAULT_DATA),
        Optional("LIMIT", Integer(64, signed=True), -1),
        Optional("BURST", Integer(32, signed=True), 1),
        Optional("ACTIVE", Bool(), True),
        Keyword("TIMESTAMP", Bool(), True),
        Keyword("LENGTH", Integer(32, signed=True, high=1 << 16), -1),
        Keyword("DATASIZE", Integer(32, signed=True, high=1 << 16), -1),
        Keyword("STOP", Bool(), False),
        Keyword("END_CALL", HandlerCall()),
    )
    state_types = {"source": Private(data=ptr, count=u64, limit=s64, length=u32, burst=u32, active=u8, ending=u8)}

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

    def initialise(self) -> None:
        source, cfg = self.state.source, self.cfg
        source.limit, source.burst, source.active = cfg.limit, cfg.burst, cfg.active
        self._data, self._length = cfg.data, cfg.length
        self._set_packet()

    def _set_packet(self) -> None:
        """Let the packets be of the data and length given last. The buffer is the C side's while it is in use."""
        data = self._data
        if self._length >= 0:
            data = (data * (self._length // max(1, len(data)) + 1))[: self._length]
        buffer = ctypes.create_string_buffer(data, max(1, len(data)))
        self.state.source.data, self.state.source.length = ctypes.addressof(buffer), len(data)
        self._buffer = buffer

    def called(self, value: int) -> None:
        """LIMIT is reached."""
        self.runtime.write(self.cfg.end_call)

    @read_handler
    def count(self) -> str:
        return str(self.state.source.count)

    @write_handler
    def reset(self, text: str) -> None:
        self.state.source.count = 0
        self._reschedule()

    @read_handler("data")
    def read_data(self) -> bytes:
        return self._data

    @write_handler("data")
    def write_data(self, text: str) -> None:
        self._data = text.encode("utf-8", "surrogateescape")
        self._set_packet()
        self._reschedule()

    @read_handler("length")
    def read_length(self) -> str:
        return str(self._length)

    @write_handler("length")
    def write_length(self, text: str) -> None:
        self._length = Integer(32, signed=True, high=1 << 16).parse(text.strip())
        self._set_packet()
        self._reschedule()

    @read_handler("limit")
    def read_limit(self) -> str:
        return str(self.state.source.limit)

    @write_handler("limit")
    def write_limit(self, text: str) -> None:
        self.state.source.limit = Integer(64, signed=True).parse(text.strip())
        self._reschedule()

    @read_handler("burst")
    def read_burst(self) -> str:
        return str(self.state.source.burst)

    @write_handler("burst")
    def write_burst(self, text: str) -> None:
        self.state.source.burst = Integer(32, low=1).parse(text.strip())
        self._reschedule()

    @read_handler("active")
    def read_active(self) -> str:
        return Bool().unparse(self.state.source.active)

    @write_handler("active")
    def write_active(self, text: str) -> None:
        self.state.source.active = Bool().parse(text.strip())
        self._reschedule()

    def _reschedule(self) -> None:
        if self.runtime is not None:
            self.runtime.control(RESCHEDULE)
