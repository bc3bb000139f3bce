"""Tracing a loaded router: an instrumented build of its kernel path takes the place of the plain one, on the same maps, and the
runtime's code is switched to report what it does; afterwards both are restored.

Pins and folder keep the plain kernel path. If a service ends or dies, the devices keep the instrumented programs until the
router's next runtime attaches the pinned ones again (takeover.py).
"""

from __future__ import annotations

import json
import struct
import time
from collections.abc import Callable, Iterator, Mapping
from contextlib import AbstractContextManager, ExitStack, contextmanager, suppress
from dataclasses import replace

from clickbpf.compile import Compilation
from clickbpf.errors import ClickError
from clickbpf.frozen import frozen
from clickbpf.load.change.exchange import GRACE, Hosted, swapped, wait_for_programs
from clickbpf.load.change.renew import beside
from clickbpf.load.devices import inlet
from clickbpf.load.path.attach import Attachment, entries
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


class Tracing:
    """A trace of a running router. `links` opens the attachments of its devices; `number` differs from that of the last trace."""

    def __init__(
        self,
        hosted: Hosted,
        request: TraceRequest,
        number: int,
        links: Callable[[], AbstractContextManager[Mapping[str, Attachment]]],
    ):
        self._hosted, self._links, self._number, self._most = hosted, links, number, request.most
        runtime = hosted.runtime
        link = compile_filter(runtime.library, request.filter, ETHERNET)
        try:
            raw = compile_filter(runtime.library, request.filter, RAW)
        except ClickError:  # the filter uses fields that only link headers have
            raw = None
        self._filters = link, raw
        self._plain = runtime.handlers.made
        self._changed = replace(self._plain, options=replace(self._plain.options, traced=link, traced_at=frozenset(request.at) or None))
        self._changed.build_bpf()  # slow the first time; then the cache has it
        self._held = ExitStack()

    def begin(self) -> None:
        """ClickError if that is impossible; then nothing has changed."""
        runtime = self._hosted.runtime
        variables = {"trace_number": struct.pack("=I", self._number), "trace_most": struct.pack("=I", self._most)}
        with ExitStack() as undo:
            made, path = undo.enter_context(beside(self._hosted, self._changed, variables))
            ring = path.role("traces")
            with runtime.locked(), ExitStack() as failed:
                self._trace = runtime.begin_trace(*self._filters, self._number, self._most, (ring.fd, ring.info().max_entries))
                failed.callback(self._trace.end)
                self._change(made, path, self._hosted.path)
                failed.pop_all()
            undo.callback(self._trace.end)
            undo.callback(setattr, runtime, "kernel", runtime.kernel)
            runtime.kernel = _refused
            self._traced = path
            self._counts = path.memory("traced")[0]
            self._held = undo.pop_all()

    def _change(self, made: Compilation, path: KernelPath, before: KernelPath) -> None:
        """Swap the devices' programs for those of the path, and process what the programs `before` have handed over. Packets
        stand still."""
        hosted = self._hosted
        with self._links() as links:
            pairs = [(device, program) for device, program in entries(path, hosted.devices) if device.name in links]
            with swapped(pairs, links, before.programs.values()):
                pass
        wait_for_programs()
        if inlet.cross(hosted.devices):
            wait_for_programs()
            time.sleep(GRACE)
        hosted.runtime.change_handovers(path.manifest.hash, made.annotations)

    def read(self) -> bytes:
        """A portion: what has happened since the last call."""
        events, missed = self._trace.read()
        return HEAD.pack(missed, struct.unpack_from("=Q", self._counts, 8)[0]) + events

    def end(self) -> None:
        """The router is as it was before."""
        with self._hosted.runtime.locked():
            with suppress(ClickError):  # an attachment that can't be swapped is gone
                self._change(self._plain, self._hosted.path, self._traced)
            self._held.close()


@contextmanager
def _refused(changed: Compilation) -> Iterator[Callable[[], None]]:
    raise ClickError("the router is being traced, and its kernel path can't be given other arguments meanwhile")
    yield
