"""Simulated time for elements that keep to a rate."""

import pytest


@pytest.fixture
def passed(router):
    """passed("Shaper(10) -> Unqueue", 5, length=100): packets that an endless source sends through this in 5 seconds.

    Without a count of seconds it is the router, in which `c` counts.
    """

    def run(chain: str, seconds: float | None = None, length: int = 60, source: str = ""):
        r = router(
            f"{source or f'InfiniteSource(LENGTH {length})'} -> {chain} -> c :: Counter -> Discard;", simtime=True
        )
        if seconds is None:
            return r
        r.advance(seconds)
        return int(r.read("c.count"))

    return run
