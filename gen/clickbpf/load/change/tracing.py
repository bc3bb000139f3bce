"""Traces a loaded router's packets, or counts them at every output: an instrumented build of its kernel path replaces the plain one, on the
same maps, and the runtime's code is switched to report what it does; afterwards both are restored.

Pins and folder stay those of the plain kernel path. If a service ends or dies, the devices keep the instrumented programs until the
router's next runtime attaches the pinned ones again (takeover.py).
"""

import json
import struct
import time
from abc import ABC, abstractmethod
from array import array
from collections.abc import Callable, Iterator, Mapping
from contextlib import AbstractContextManager, ExitStack, contextmanager, suppress
from dataclasses import replace
from operator import add
from typing import Any, Self

from clickbpf.compile import Compilation
from clickbpf.errors import ClickError
from clickbpf.frozen import frozen
from clickbpf.load.change.exchange import exchange_path, other_programs
from clickbpf.load.kernel.fds import Content
from clickbpf.load.path.attach import Attachment
from clickbpf.load.path.kernelpath import KernelPath
from clickbpf.runtime.host import Runtime
from clickbpf.runtime.tracing import ETHERNET, MOST_PACKETS, RAW, compile_filter

#: Opens the attachments of the router's devices.
Links = Callable[[], AbstractContextManager[Mapping[str, Attachment]]]
#: The commands of the control socket.
TRACE, COUNT = "TRACE", "COUNT"
#: The head of a portion: the number of events that the runtime has lost since the last portion, and of packets that the kernel path has
#: skipped so far because the ring was half full.
HEAD = struct.Struct("=QQ")
#: The head of counts: the router's hash, and the time in nanoseconds of the monotonic clock. A count of 64 bits for each output follows.
COUNTED = struct.Struct("=QQ")
#: Seconds from one portion of counts to the next.
INTERVAL = 0.5


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


class Instrumented(ABC):
    """Another build in the place of a running router's kernel path, whose attachments `links` opens. `options` are the planner's."""

    def __init__(self, runtime: Runtime, links: Links, **options: Any):
        self.runtime, self._links, self._plain = runtime, links, runtime.handlers.made
        self._changed = replace(self._plain, options=replace(self._plain.options, **options))
        self._changed.build_bpf()  # compile before anything is locked; later it comes from the cache
        self._held = ExitStack()
        self.ended = False

    def begin(self) -> bool:
        """Change to the build. False if an element has got other arguments since it was made; ClickError if that is impossible. In both
        cases nothing has changed."""
        runtime = self.runtime
        with ExitStack() as undo:
            made, path = undo.enter_context(other_programs(runtime, self._changed, self._variables()))
            with runtime.locked(), ExitStack() as failed:
                if runtime.handlers.made is not self._plain:
                    return False
                failed.callback(self._switch_on(path))
                self._change(made, path, runtime.path)
                undo.push(failed.pop_all())
                undo.callback(setattr, runtime, "kernel", runtime.kernel)
                undo.callback(setattr, runtime, "reporting", False)
                runtime.kernel, runtime.reporting = self._kernel, True
            self._other = path
            self._held = undo.pop_all()
        return True

    @abstractmethod
    def _switch_on(self, path: KernelPath) -> Callable[[], None]:
        """Have the runtime's code report, and return the function that ends that. The runtime is locked."""

    @abstractmethod
    def read(self) -> bytes | None:
        """What has been reported since the last call, as a portion of the control socket's stream; None after the end."""

    def _variables(self) -> Mapping[str, Content]:
        return {}

    @contextmanager
    def _kernel(self, changed: Compilation) -> Iterator[Callable[[], None]]:
        raise ClickError("the router is being traced, and its kernel path can't be given other arguments meanwhile")
        yield

    def end(self) -> None:
        """Restore the plain router, if that hasn't happened."""
        with self.runtime.locked():
            if self.ended:
                return
            self.ended = True
            with suppress(ClickError):  # an attachment that can't be swapped is gone
                self._change(self._plain, self.runtime.path, self._other)
            self._held.close()

    def _change(self, made: Compilation, path: KernelPath, before: KernelPath) -> None:
        with self._links() as links:
            exchange_path(self.runtime, made, path, links, before)


class Tracing(Instrumented):
    """A trace. `number` differs from that of the last trace."""

    def __init__(self, runtime: Runtime, links: Links, request: TraceRequest, number: int):
        link = compile_filter(runtime.library, request.filter, ETHERNET)
        try:
            raw = compile_filter(runtime.library, request.filter, RAW)
        except ClickError:  # the filter uses fields that only link headers have
            raw = None
        self._filters, self._number, self._most = (link, raw), number, request.most
        super().__init__(runtime, links, traced=link, traced_l3=raw, traced_at=frozenset(request.at) or None)

    def _variables(self) -> Mapping[str, Content]:
        return {"trace_number": self._number, "trace_most": self._most}

    def _switch_on(self, path: KernelPath) -> Callable[[], None]:
        ring = path.role("traces")
        self._trace = self.runtime.begin_trace(*self._filters, self._number, self._most, (ring.fd, ring.info().max_entries))
        self._counts = path.memory("traced")[0]
        return self._trace.end

    def read(self) -> bytes:
        events, missed = self._trace.read()
        return HEAD.pack(missed, struct.unpack_from("=Q", self._counts, 8)[0]) + events


class Counting(Instrumented):
    """Counts of packets at every output, which end when the kernel path is to get other arguments."""

    def __init__(self, runtime: Runtime, links: Links):
        super().__init__(runtime, links, counted=True)
        self._due = 0.0

    def _switch_on(self, path: KernelPath) -> Callable[[], None]:
        self._outputs, self._counts = self._plain.checked.noutputs, path.memory("counted")[0].cast("Q")
        return self.runtime.begin_count(self._counts, self._outputs)

    @contextmanager
    def _kernel(self, changed: Compilation) -> Iterator[Callable[[], None]]:
        self.end()
        yield lambda: None  # never called: runtime.kernel is the plain one's again, and who changes arguments looks at that

    def read(self) -> bytes | None:
        if self.ended:
            return None
        if (now := time.monotonic()) < self._due:
            return b""
        self._due = now + INTERVAL
        sums = array("Q", bytes(8 * self._outputs))
        for slot in range(self.runtime.path.slots):
            sums = array("Q", map(add, sums, self._counts[slot * self._outputs : (slot + 1) * self._outputs]))
        return COUNTED.pack(self._plain.hash, time.monotonic_ns()) + sums.tobytes()
