"""Measurements for several viewers: one task makes them, and begins anew after it has failed."""

from __future__ import annotations

import asyncio
import json
from collections.abc import AsyncGenerator

import pytest

from clickbpf.ui import live


class Meter:
    """Measures nothing, and fails when `fails` is set."""

    made: list[Meter] = []
    fails = False

    def __init__(self, router, counts):
        self.closed = False
        self.made.append(self)

    def measure(self):
        if self.fails:
            raise KeyError("unforeseen")
        return {"meter": len(self.made)}, {}, {}

    def close(self):
        self.closed = True


@pytest.fixture(autouse=True)
def meter(monkeypatch):
    monkeypatch.setattr(live, "Meter", Meter)
    monkeypatch.setattr(live, "INTERVAL", 0.01)
    monkeypatch.setattr(Meter, "made", [])
    monkeypatch.setattr(Meter, "fails", False)


async def one(viewer: AsyncGenerator[str, None]) -> dict:
    return json.loads(await asyncio.wait_for(anext(viewer), 60))


async def to_its_end(viewer: AsyncGenerator[str, None]) -> None:
    async for _ in viewer:
        pass


def test_after_a_failure_viewers_come_again_and_it_begins_anew(caplog):
    async def work() -> None:
        measured = live.Live(None, False)
        viewers = [measured.follow(), measured.follow()]
        assert [(await one(viewer))["meter"] for viewer in viewers] == [1, 1]
        Meter.fails = True
        await asyncio.wait_for(asyncio.gather(*map(to_its_end, viewers)), 60)
        Meter.fails = False
        again = measured.follow()
        first = await one(again)
        assert (first["meter"], first["whole"]) == (2, True)
        await again.aclose()

    asyncio.run(work())
    assert [each.closed for each in Meter.made] == [True, True]
    assert "unforeseen" in caplog.text


def test_a_viewer_that_comes_before_the_others_have_left_begins_anew():
    async def work() -> None:
        measured = live.Live(None, False)
        first, Meter.fails = measured.follow(), True
        waiting = asyncio.create_task(anext(first, None))
        while not Meter.made or not Meter.made[0].closed:
            await asyncio.sleep(0.001)
        Meter.fails = False
        second = measured.follow()
        assert (await one(second))["meter"] == 2
        assert await asyncio.wait_for(waiting, 60) is None
        await second.aclose()

    asyncio.run(work())
