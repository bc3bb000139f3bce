"""Tracing a loaded router: an instrumented build of its kernel path takes the place of the plain one, on the same maps, and the
runtime's code is switched to report what it does; afterwards both are restored (instrumented.py).
"""

from __future__ import annotations

import json
import struct
from collections.abc import Mapping
from contextlib import ExitStack

from clickbpf.errors import ClickError
from clickbpf.frozen import frozen
from clickbpf.load.change.exchange import Hosted
from clickbpf.load.change.instrumented import Instrumented, Links
from clickbpf.load.path.kernelpath import KernelPath
from clickbpf.runtime.tracing import ETHERNET, MOST_PACKETS, RAW, compile_filter

#: The command of the control socket.
TRACE = "TRACE"
#: The head of a portion: events that the runtime has lost since the last portion, and packets that the kernel path has left out
#: until now because the ring was half full.
HEAD = struct.Struct("=QQ")


@frozen
class TraceRequest:
    """What is to be traced: a filter in tcpdump's language, and the most packets."""

    filter: str = ""
    most: int = MOST_PACKETS
    #: Elements at whose inputs the kernel path reports packets; empty for all inputs and all exits.
    at: tuple[str, ...] = ()

    def to_text(self) -> str:
        """One line."""
        return json.dumps({"filter": self.filter, "most": self.most, "at": self.at})

    @classmethod
    def from_text(cls, text: str) -> TraceRequest:
        """ClickError if it isn't one."""
        try:
            given = json.loads(text)
            return cls(str(given["filter"]), min(max(int(given["most"]), 0), MOST_PACKETS), tuple(map(str, given["at"])))
        except (ValueError, KeyError, TypeError, RecursionError):
            raise ClickError("a trace takes a filter and a number of packets") from None


class Tracing(Instrumented):
    """A trace of a running router. `number` differs from that of the last trace."""

    done = "traced"

    def __init__(self, hosted: Hosted, links: Links, request: TraceRequest, number: int):
        self._number, self._most = number, request.most
        library = hosted.runtime.library
        link = compile_filter(library, request.filter, ETHERNET)
        try:
            raw = compile_filter(library, request.filter, RAW)
        except ClickError:  # the filter uses fields that only link headers have
            raw = None
        self._filters = link, raw
        super().__init__(hosted, links, traced=link, traced_l3=raw, traced_at=frozenset(request.at) or None)

    def variables(self) -> Mapping[str, bytes]:
        return {"trace_number": struct.pack("=I", self._number), "trace_most": struct.pack("=I", self._most)}

    def watch(self, path: KernelPath, undo: ExitStack) -> None:
        ring = path.role("traces")
        self._trace = self.hosted.runtime.begin_trace(*self._filters, self._number, self._most, (ring.fd, ring.info().max_entries))
        undo.callback(self._trace.end)
        self._counts = path.memory("traced")[0]

    def read(self) -> bytes:
        """What has happened since the last call."""
        events, missed = self._trace.read()
        return HEAD.pack(missed, struct.unpack_from("=Q", self._counts, 8)[0]) + events
