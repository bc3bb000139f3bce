"""Traces of packets in a running router, made by the runtime's library (userspace/trace.h)."""

import ctypes
import os
from collections.abc import Sequence
from ctypes import POINTER, c_bool, c_char_p, c_int, c_uint8, c_uint16, c_uint32, c_uint64, c_void_p

from clickbpf.args.error import ArgError
from clickbpf.args.tcpdump import check_filter
from clickbpf.errors import ClickError

#: libpcap's link types: packets that begin with an Ethernet header, and with an IP header.
ETHERNET, RAW = 1, 12
#: The most rows of a filter, and the most bytes of libpcap's error message.
MOST_ROWS, COMPLAINT = 4096, 256
#: The most bytes of events to read at once; the largest event fits.
ROOM = 1 << 20
#: The most packets of a trace: 24 bits can count them, and the last value is reserved.
MOST_PACKETS = (1 << 24) - 2

#: code, jt, jf, k of struct bpf_insn.
Row = tuple[int, int, int, int]


class FilterRow(ctypes.Structure):
    """struct filter_row of userspace/filter.h."""

    _fields_ = [("code", c_uint16), ("jt", c_uint8), ("jf", c_uint8), ("k", c_uint32)]


class TraceSettings(ctypes.Structure):
    """struct trace_settings of userspace/trace.h."""

    _fields_ = [
        ("link", POINTER(FilterRow)), ("raw", POINTER(FilterRow)), ("links", c_uint32), ("raws", c_uint32), ("no_raw", c_bool),
        ("number", c_uint32), ("most", c_uint32), ("ring", c_int), ("ring_size", c_uint32),
    ]  # fmt: skip


#: name -> (result, arguments), as userspace/trace.h and filter.h declare them.
PROTOTYPES = {
    "filter_compile": (c_int, [c_char_p, c_int, POINTER(FilterRow), c_uint32, c_char_p]),
    "runtime_trace": (c_void_p, [c_void_p, POINTER(TraceSettings)]),
    "trace_read": (c_uint32, [c_void_p, c_void_p, c_uint32, POINTER(c_uint64)]),
    "trace_end": (None, [c_void_p]),
    "runtime_count": (c_int, [c_void_p, c_void_p, c_uint32]),
}


def compile_filter(library: ctypes.CDLL, text: str, link_type: int) -> tuple[Row, ...]:
    """Have libpcap compile a filter in tcpdump's language for a link type; an empty filter, which accepts all packets, has no rows.
    ClickError with libpcap's message, or for a filter that would take long to compile (check_filter())."""
    if not text.strip():
        return ()
    try:
        check_filter(text)
    except ArgError as error:
        raise ClickError(error.message, hint=error.hint) from None
    rows, complaint = (FilterRow * MOST_ROWS)(), ctypes.create_string_buffer(COMPLAINT)
    count = library.filter_compile(os.fsencode(text), link_type, rows, MOST_ROWS, complaint)
    if count < 0:
        said = complaint.value.decode("utf-8", "replace") or os.strerror(-count)
        raise ClickError(f"the filter '{text}' can't be used: {said}", hint="pcap-filter(7) describes the language")
    return tuple((row.code, row.jt, row.jf, row.k) for row in rows[:count])


class Trace:
    """A running trace. The runtime must be locked when it begins and ends."""

    def __init__(
        self,
        library: ctypes.CDLL,
        runtime: int,
        link: Sequence[Row],
        raw: Sequence[Row] | None,
        number: int,
        most: int,
        ring: tuple[int, int] | None,
    ):
        """`link` and `raw` are the filters for packets that begin with an Ethernet or an IP header, None to trace none of these. `number`,
        from 1 to 127, must differ from that of the previous trace. `ring` is the kernel path's ring buffer: descriptor and size in
        bytes."""
        self._library, self._room = library, ctypes.create_string_buffer(ROOM)
        fd, size = ring or (-1, 0)
        rows = [(FilterRow * len(given))(*given) for given in (link, raw or ())]
        settings = TraceSettings(rows[0], rows[1], len(rows[0]), len(rows[1]), raw is None, number, most, fd, size)
        ctypes.set_errno(0)
        self._trace = library.runtime_trace(runtime, ctypes.byref(settings))
        if not self._trace:
            raise ClickError("the runtime can't be traced: out of memory, or its code can't be changed")

    def read(self) -> tuple[bytes, int]:
        """The events since the last call, each a struct traced with its bytes, and the number of events lost for lack of room."""
        missed = c_uint64()
        length = self._library.trace_read(self._trace, self._room, ROOM, ctypes.byref(missed))
        return self._room.raw[:length], missed.value

    def end(self) -> None:
        self._library.trace_end(self._trace)
        self._trace = None
