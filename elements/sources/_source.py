"""The base of elements that make packets of given data."""

import ctypes

from clickbpf.declare import (
    NEW, USER, Bool, Element, Form, Integer, Private, field_handlers, ptr, read_handler, s64, sum_handler, u8, u32, u64,
    value_handlers, write_handler,
)

DEFAULT_DATA = b"A packet of a source whose data nobody has given: it is 69 bytes long"
LIMIT = Integer(64, signed=True)
#: -1 for the length of the data.
LENGTH = Integer(32, signed=True, high=1 << 16)


class Source(Element, ports="0/1", runs=USER):
    """DATA, LIMIT, ACTIVE and their handlers, over a state `source` (source.inc.h)."""

    @staticmethod
    def state_of(**more) -> Private:
        """The state's declaration, with fields of the class's own."""
        return Private(data=ptr, count=u64, limit=s64, length=u32, active=u8, ending=u8, **more)

    def gives(self, form: Form | None) -> Form:
        return NEW

    def initialise(self) -> None:
        super().initialise()
        self._data, self._length = self.cfg.data, getattr(self.cfg, "length", -1)
        self._set_packet()

    def _set_packet(self) -> None:
        """Make packets of the current data and length. C owns the buffer while it is in use."""
        data = self._data
        if self._length >= 0:
            data = (data * (self._length // max(1, len(data)) + 1))[: self._length]
        buffer = ctypes.create_string_buffer(data, max(1, len(data)))
        self.state.source.data, self.state.source.length = ctypes.addressof(buffer), len(data)
        self._buffer = buffer

    count = sum_handler("source", text="packets made")

    @write_handler
    def reset(self, text: str) -> None:
        """sets `count` to 0; then LIMIT more packets are made."""
        self.state.source.count = 0
        self.go()

    @read_handler("data")
    def read_data(self) -> bytes:
        return self._data

    @write_handler("data")
    def write_data(self, text: str) -> None:
        self._data = text.encode("utf-8", "surrogateescape")
        self._set_packet()
        self.changed()

    limit = field_handlers("source", LIMIT, "changed")

    active = field_handlers("source", Bool(), "activated", text="ACTIVE. When it becomes true, the first packet comes at once.")

    def activated(self) -> None:
        """ACTIVE was set."""
        self.go()

    def changed(self) -> None:
        """DATA, LENGTH or LIMIT was changed."""
        self.go()

    def go(self) -> None:
        """Restart the source if there is more to send."""
        self.notify()


class SizedSource(Source):
    """A source with LENGTH: data are truncated or repeated to fit."""

    def _set_length(self, length: int) -> None:
        self._length = length
        self._set_packet()
        self.changed()

    length = value_handlers(LENGTH, lambda self: self._length, _set_length)
