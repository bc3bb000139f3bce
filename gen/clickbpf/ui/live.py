"""The rates, drops and queues of a watched router, measured once for all viewers, and only while there are any.

A viewer gets the newest measurement: first all of it, then only changes. A slow viewer misses some, and then gets the next one completely.
"""

import asyncio
import json
import threading
import time
from collections import Counter
from collections.abc import AsyncGenerator, Mapping
from dataclasses import field
from functools import cached_property
from typing import Any, Self

from clickbpf.errors import ClickError
from clickbpf.frozen import frozen
from clickbpf.load.life.trial import token_of
from clickbpf.observe.outputcounts import Counts, OutputCounter, rates
from clickbpf.observe.rates import Activity, Period, by_element, period
from clickbpf.observe.snapshot import Observer, Snapshot, counts_packets
from clickbpf.ui.subjects import RunningRouter, Shown

#: Seconds between two measurements, and the most viewers of one router.
INTERVAL, MOST_VIEWERS = 1.0, 64
#: The handlers with a queue's length and with its capacity.
LENGTH, CAPACITY = "length", "capacity"


class TooMany(Exception):
    """The limit on viewers is reached."""


@frozen
class Measured:
    """A measurement: its number, values of the whole router (`head`), and rows of elements and connections, by their numbers."""

    number: int
    head: Mapping[str, Any]
    elements: Mapping[int, list[Any]] = field(default_factory=dict)
    lines: Mapping[int, list[Any]] = field(default_factory=dict)

    @cached_property
    def whole(self) -> str:
        """The whole measurement, as JSON."""
        return _json({**self.head, "whole": True, "elements": list(self.elements.values()), "lines": list(self.lines.values())})

    def since(self, before: Self) -> str:
        """The rows that have changed, as JSON; all rows if the set of rows has changed."""
        if before.elements.keys() != self.elements.keys() or before.lines.keys() != self.lines.keys():
            return self.whole
        elements, lines = _changed(self.elements, before.elements), _changed(self.lines, before.lines)
        return _json({**self.head, "whole": False, "elements": elements, "lines": lines})


def _changed(now: Mapping[int, list[Any]], before: Mapping[int, list[Any]]) -> list[list[Any]]:
    return [row for number, row in now.items() if row != before[number]]


def _json(value: Any) -> str:
    return json.dumps(value, separators=(",", ":"))


class Live:
    """The measurements of one router. With `counts` the packets of all connections are counted while there are viewers."""

    def __init__(self, router: RunningRouter, counts: bool):
        self._router, self._counts = router, counts
        self._viewers: set[asyncio.Event] = set()
        self._task: asyncio.Task | None = None
        self._newest: Measured | None = None
        self._news = ""

    async def follow(self) -> AsyncGenerator[str, None]:
        """Yield each measurement as JSON, beginning with the newest. TooMany if there are too many viewers."""
        if len(self._viewers) >= MOST_VIEWERS:
            raise TooMany
        viewer, seen = asyncio.Event(), -1
        self._viewers.add(viewer)
        try:
            if self._task is None or self._task.done():
                self._newest, self._task = None, asyncio.create_task(self._measure())
                self._task.add_done_callback(self._ended)
            elif self._newest is not None:
                viewer.set()
            while True:
                await viewer.wait()
                viewer.clear()
                if self._task.done():  # browsers reconnect, and the first one starts a new task
                    return
                knows, seen = seen, self._newest.number
                yield self._news if knows == seen - 1 else self._newest.whole
        finally:
            self._viewers.discard(viewer)
            if not self._viewers and self._task is not None:
                self._task.cancel()
                self._task = self._newest = None

    async def _measure(self) -> None:
        meter = Meter(self._router, self._counts)
        before = Measured(0, {})
        try:
            while True:
                begun = time.monotonic()
                head, elements, lines = await asyncio.to_thread(meter.measure)
                now = self._newest = Measured(before.number + 1, head, elements, lines)
                self._news, before = now.since(before), now
                self._wake()
                await asyncio.sleep(max(0.05, INTERVAL - (time.monotonic() - begun)))
        finally:
            asyncio.get_running_loop().run_in_executor(None, meter.close)

    def _ended(self, task: asyncio.Task) -> None:
        """Report a failed measurement, after which there are no more, and wake the viewers."""
        if task is self._task and not task.cancelled():
            asyncio.get_running_loop().call_exception_handler({"message": "a measurement has failed", "exception": task.exception()})
            self._wake()

    def _wake(self) -> None:
        for viewer in self._viewers:
            viewer.set()


class Meter:
    """Measures one router repeatedly, each time the changes since the last."""

    def __init__(self, router: RunningRouter, counts: bool):
        self._counter = OutputCounter(router.name) if counts else None
        self._counts: Counts | None = None
        self._router, self._observer = router, Observer(router.name, (LENGTH, CAPACITY), ("count",))
        self._before: Snapshot | None = None
        self._shown: Shown | None = None
        self._lock = threading.Lock()

    def close(self) -> None:
        """Close the router, after the current measurement."""
        with self._lock:
            self._observer.close()
        if self._counter:
            self._counter.close()

    def measure(self) -> tuple[dict[str, Any], dict[int, list[Any]], dict[int, list[Any]]]:
        """The values of the whole router, or an `error` if it can't be read; rows of elements; and rows of connections: number, and packets
        a second (None if unknown)."""
        with self._lock:
            try:
                shown, now = self._router.shown(), self._observer.snapshot()
                trial = token_of(self._router.folder)
                if self._router.version() != shown.version:
                    raise ClickError("another router has just taken this one's place")
            except (ClickError, OSError) as error:
                self._before = None
                return {"error": error.diagnostics[0].message if isinstance(error, ClickError) else str(error)}, {}, {}
            if self._shown is not shown:
                self._begin(shown)
            before, self._before = self._before or now, now
            head = {
                "version": shown.version,
                "state": now.loaded.state,
                "trial": trial,
                "uptime": now.loaded.uptime,
                "cpu": 0.0,
            }
            if before is now:
                return head, {}, {}
            seen = period(before, now)
            return {**head, "cpu": round(seen.cpu, 4)}, *self._rows(seen)

    def _begin(self, shown: Shown) -> None:
        self._shown, self._before, self._counts = shown, None, None
        checked = shown.plan.checked
        self._numbers = shown.plan.index
        self._counting = {name for name, instance in checked.instances.items() if counts_packets(instance)}
        router, first = checked.router, checked.first_outputs
        sources = Counter(each.source for each in router.connections)
        #: Of each connection the number of its output, unless that has others, too; and the element whose count is the connection's.
        self._outputs = [
            first[each.source.element] + each.source.port if sources[each.source] == 1 else None for each in router.connections
        ]
        self._told: dict[int, str] = {}
        for name in self._counting:
            beside = router.connections_to(name) or router.connections_from(name)
            if len(beside) == 1:
                self._told[router.connections.index(beside[0])] = name

    def _rows(self, seen: Period) -> tuple[dict[int, list[Any]], dict[int, list[Any]]]:
        dropped = by_element(seen.now.dropped)
        sizes = {number.element: int(number.value) for number in seen.now.levels if number.name == CAPACITY}
        return {self._numbers[each.element]: self._element(each, dropped, sizes) for each in seen.elements}, self._lines(seen)

    def _lines(self, seen: Period) -> dict[int, list[Any]]:
        """Rows of connections. An output's count is its only connection's, and without such counts an element's that of its only input."""
        now = self._counter.newest if self._counter else None
        before, self._counts = self._counts, now
        counted = rates(before, now) if now and now.hash == self._shown.made.hash else None
        known = {each.element: each.rate for each in seen.elements if each.element in self._counting}
        if counted is None:
            found = [known.get(self._told.get(number)) for number in range(len(self._outputs))]
        else:
            found = [None if output is None else counted[output] for output in self._outputs]
        return {number: [number, None if rate is None else _short(rate)] for number, rate in enumerate(found)}

    def _element(self, each: Activity, dropped: Mapping[str, Mapping[str, int]], sizes: Mapping[str, int]) -> list[Any]:
        """An element's row: number; rates in the kernel, in the runtime and of drops; drops by reason; packets held, and the capacity."""
        packets = each.element in self._counting
        return [
            self._numbers[each.element],
            _short(each.kernel_rate) if packets else None,
            _short(each.runtime_rate) if packets else None,
            _short(each.drop_rate),
            each.dropped,
            dropped.get(each.element, {}),
            each.holds,
            None if each.holds is None else sizes.get(each.element),
        ]


def _short(rate: float) -> float:
    """A rate rounded to the digits that are shown, so that invisible changes aren't sent."""
    return float(f"{rate:.3g}") if rate else 0.0
