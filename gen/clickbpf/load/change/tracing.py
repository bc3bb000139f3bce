"""Traces a loaded router: an instrumented build of its kernel path replaces the plain one, on the same maps, and the runtime's code is
switched to report what it does; afterwards both are restored.

Pins and folder stay those of the plain kernel path. If a service ends or dies, the devices keep the instrumented programs until the
router's next runtime attaches the pinned ones again (takeover.py).
"""

import json
import struct
from collections.abc import Callable, Iterator, Mapping
from contextlib import AbstractContextManager, ExitStack, contextmanager, suppress
from dataclasses import replace
from typing import Self

from clickbpf.compile import Compilation
from clickbpf.errors import ClickError
from clickbpf.frozen import frozen
from clickbpf.load.change.exchange import exchange_path, other_programs
from clickbpf.load.path.attach import Attachment
from clickbpf.load.path.kernelpath import KernelPath
from clickbpf.runtime.host import Runtime
from clickbpf.runtime.tracing import ETHERNET, MOST_PACKETS, RAW, compile_filter

#: Opens the attachments of the router's devices.
Links = Callable[[], AbstractContextManager[Mapping[str, Attachment]]]
#: The command of the control socket.
TRACE = "TRACE"
#: The head of a portion: the number of events that the runtime has lost since the last portion, and of packets that the kernel path has
#: skipped so far because the ring was half full.
HEAD = struct.Struct("=QQ")


@frozen
class TraceRequest:
    """What to trace: a filter in tcpdump's language, the most packets, and where."""

    filter: str = ""
    most: int = MOST_PACKETS
    #: Elements at whose inputs the kernel path reports packets; empty for all inputs and all exits.
    at: tuple[str, ...] = ()

    def to_text(self) -> str:
        """The request as one line of text."""
        return json.dumps({"filter": self.filter, "most": self.most, "at": self.at})

    @classmethod
    def from_text(cls, text: str) -> Self:
        """Parse such a line; ClickError if it isn't one."""
        try:
            given = json.loads(text)
            return cls(str(given["filter"]), min(max(int(given["most"]), 0), MOST_PACKETS), tuple(map(str, given["at"])))
        except (ValueError, KeyError, TypeError, RecursionError):
            raise ClickError("a trace takes a filter and a number of packets") from None


class Tracing:
    """A trace of a running router, whose attachments `links` opens. `number` differs from that of the last trace."""

    def __init__(self, runtime: Runtime, links: Links, request: TraceRequest, number: int):
        self.runtime, self._links = runtime, links
        self._number, self._most = number, request.most
        link = compile_filter(runtime.library, request.filter, ETHERNET)
        try:
            raw = compile_filter(runtime.library, request.filter, RAW)
        except ClickError:  # the filter uses fields that only link headers have
            raw = None
        self._filters = link, raw
        self._plain, at = runtime.handlers.made, frozenset(request.at) or None
        self._changed = replace(self._plain, options=replace(self._plain.options, traced=link, traced_l3=raw, traced_at=at))
        self._changed.build_bpf()  # compile before anything is locked; later it comes from the cache
        self._held = ExitStack()

    def begin(self) -> bool:
        """Begin to trace. False if an element has got other arguments since the build was made; ClickError if tracing is impossible. In
        both cases nothing has changed."""
        runtime = self.runtime
        variables = {"trace_number": struct.pack("=I", self._number), "trace_most": struct.pack("=I", self._most)}
        with ExitStack() as undo:
            made, path = undo.enter_context(other_programs(runtime, self._changed, variables))
            with runtime.locked(), ExitStack() as failed:
                if runtime.handlers.made is not self._plain:
                    return False
                ring = path.role("traces")
                self._trace = runtime.begin_trace(*self._filters, self._number, self._most, (ring.fd, ring.info().max_entries))
                failed.callback(self._trace.end)
                self._counts = path.memory("traced")[0]
                self._change(made, path, runtime.path)
                undo.push(failed.pop_all())
                undo.callback(setattr, runtime, "kernel", runtime.kernel)
                runtime.kernel = _refused
            self._other = path
            self._held = undo.pop_all()
        return True

    def read(self) -> bytes:
        """The events since the last call."""
        events, missed = self._trace.read()
        return HEAD.pack(missed, struct.unpack_from("=Q", self._counts, 8)[0]) + events

    def end(self) -> None:
        """Restore the plain router."""
        with self.runtime.locked():
            with suppress(ClickError):  # an attachment that can't be swapped is gone
                self._change(self._plain, self.runtime.path, self._other)
            self._held.close()

    def _change(self, made: Compilation, path: KernelPath, before: KernelPath) -> None:
        with self._links() as links:
            exchange_path(self.runtime, made, path, links, before)


@contextmanager
def _refused(changed: Compilation) -> Iterator[Callable[[], None]]:
    raise ClickError("the router is being traced, and its kernel path can't be given other arguments meanwhile")
    yield
