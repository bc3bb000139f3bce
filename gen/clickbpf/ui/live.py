"""What changes while one looks: rates, drops and queues of a router, measured once for all who look at it.

While nobody looks nothing is measured. A viewer that is slow gets the newest measurement, and not those it has missed.
"""

from __future__ import annotations

import asyncio
import json
import time
from collections.abc import AsyncGenerator, Iterator, Mapping
from contextlib import suppress
from typing import Any

from clickbpf.errors import ClickError
from clickbpf.load.access.access import Access
from clickbpf.observe import flows
from clickbpf.observe.look import Look, Observer
from clickbpf.observe.rates import Activity, Period, by_element, period
from clickbpf.ui.subjects import RunningRouter, Shown

#: Seconds between two measurements, and viewers of one router at most.
INTERVAL, MOST_VIEWERS = 1.0, 64
#: Seconds that the sizes of queues are believed.
SIZES_LAST = 30.0


class TooMany(Exception):
    """There are as many viewers as there may be."""


class Live:
    """The measurements of one router."""

    def __init__(self, router: RunningRouter):
        self._router = router
        self._viewers: set[asyncio.Queue[str]] = set()
        self._task: asyncio.Task | None = None
        self._newest: str | None = None

    async def follow(self) -> AsyncGenerator[str, None]:
        """Each measurement as JSON from now on, the newest one first. TooMany if nobody else can look."""
        if len(self._viewers) >= MOST_VIEWERS:
            raise TooMany
        queue: asyncio.Queue[str] = asyncio.Queue(1)
        self._viewers.add(queue)
        try:
            if self._task is None:
                self._task = asyncio.create_task(self._measure())
            elif self._newest is not None:
                queue.put_nowait(self._newest)
            while True:
                yield await queue.get()
        finally:
            self._viewers.discard(queue)
            if not self._viewers and self._task is not None:
                self._task.cancel()
                self._task = self._newest = None

    async def _measure(self) -> None:
        meter = Meter(self._router)
        while True:
            begun = time.monotonic()
            self._newest = json.dumps(await asyncio.to_thread(meter.measure), separators=(",", ":"))
            for queue in self._viewers:
                with suppress(asyncio.QueueEmpty):
                    queue.get_nowait()
                queue.put_nowait(self._newest)
            await asyncio.sleep(max(0.05, INTERVAL - (time.monotonic() - begun)))


class Meter:
    """Measures one router again and again; what has happened since the last time."""

    def __init__(self, router: RunningRouter):
        self._router, self._observer = router, Observer(router.name, ("length",))
        self._before: Look | None = None
        self._shown: Shown | None = None
        self._sizes: tuple[float, Mapping[str, int]] = (0.0, {})

    def measure(self) -> dict[str, Any]:
        """Elements and connections by their numbers; an `error` where the router can't be looked at."""
        try:
            shown, look = self._router.shown(), self._observer.look()
        except ClickError as error:
            self._before = None
            return {"error": error.diagnostics[0].message}
        if self._shown is not shown:
            self._shown, self._before = shown, None
            checked = shown.plan.checked
            self._flows, self._numbers = flows.of_router(shown.plan), shown.plan.index
            self._counting = {name for name, instance in checked.instances.items() if flows.counts_packets(instance)}
            self._sizes = (0.0, {})
        before, self._before = self._before or look, look
        return {
            "version": shown.version,
            "state": look.loaded.state,
            "uptime": look.loaded.uptime,
            **(self._rates(period(before, look)) if before is not look else {"cpu": 0.0, "elements": [], "lines": []}),
        }

    def _rates(self, seen: Period) -> dict[str, Any]:
        counted = {each.element: each.rate for each in seen.elements if each.element in self._counting}
        dropped = {each.element: each.drop_rate for each in seen.elements}
        rates = self._flows.rates(counted, dropped)
        self._dropped = by_element(seen.look.dropped)
        return {
            "cpu": round(seen.cpu, 4),
            "elements": [self._element(each) for each in seen.elements],
            "lines": [[number, round(flow.rate, 1), flow.counted] for number, flow in rates.items() if flow.rate],
        }

    def _element(self, each: Activity) -> list[Any]:
        """Number, rates by the kernel and by the runtime, of drops; packets dropped, with reasons; packets held, and room for them."""
        packets = each.element in self._counting
        return [
            self._numbers[each.element],
            round(each.kernel_rate, 1) if packets else None,
            round(each.runtime_rate, 1) if packets else None,
            round(each.drop_rate, 1),
            each.dropped,
            self._dropped.get(each.element, {}),
            each.holds,
            None if each.holds is None else self._size(each.element),
        ]

    def _size(self, element: str) -> int | None:
        """What a queue has room for, if it says so; asked now and then."""
        moment, sizes = self._sizes
        if time.monotonic() - moment > SIZES_LAST:
            sizes = dict(_sizes(self._router.name, self._shown))
            self._sizes = (time.monotonic(), sizes)
        return sizes.get(element)


def _sizes(name: str, shown: Shown) -> Iterator[tuple[str, int]]:
    with suppress(ClickError):
        access = Access(name, 10.0)
        for element, instance in shown.plan.checked.instances.items():
            if {"length", "capacity"} <= instance.handlers().keys():
                with suppress(ClickError, ValueError):
                    yield element, int(access.read(f"{element}.capacity"))
