"""The profile of a loaded router: which ways its packets take through its elements, for as long as somebody counts."""

from __future__ import annotations

import time

from clickbpf.errors import ClickError
from clickbpf.load.change.counting import COUNT
from clickbpf.observe.reported import reported
from clickbpf.plan.profile import Profile


def count(name: str, seconds: float) -> Profile:
    """What the packets of this many seconds do. ClickError if the router can't be profiled, or another one takes its place meanwhile."""
    with reported(name, "count packets", COUNT) as portions:
        end = time.monotonic() + seconds
        for portion in portions:
            if time.monotonic() >= end:
                return Profile.from_json(portion, name)
    raise ClickError(f"{name} was replaced or unloaded while its packets were counted")
