"""Random events in the life of two routers under traffic (tests/states/events.py): every frame is accounted for after each. As root.

    .venv/bin/python tests/bench/storm.py [MINUTES] [FRAMES A SECOND] [SEED]

What the routers' processes and the kernel hold is printed every five minutes: it should not grow.
"""

from __future__ import annotations

import os
import random
import signal
import sys
import time
from collections import Counter
from pathlib import Path

ROOT = Path(__file__).parents[2]
sys.path[:0] = [str(ROOT / "gen"), str(ROOT)]

from tests.apart import move_apart  # noqa: E402
from tests.bench.swaps import numbers  # noqa: E402
from tests.states.events import EVENTS, Router, happens, scene  # noqa: E402

MINUTES, RATE = 60, 20_000


def held(routers: tuple[Router, ...]) -> str:
    """What the routers' processes and the kernel hold."""
    parts = []
    for router in routers:
        proc = Path(f"/proc/{router.pid}")
        rss = int((proc / "statm").read_text().split()[1]) * os.sysconf("SC_PAGE_SIZE") >> 20
        parts.append(f"{len(list((proc / 'fd').iterdir()))} descriptors, {rss} MiB")
    return "; ".join([*parts, ", ".join(f"{len(numbers(kind))} {kind}s" for kind in ("prog", "map"))])


def main(minutes: float, rate: int, seed: int) -> int:
    choice, done = random.Random(seed), Counter()
    signal.signal(signal.SIGTERM, lambda *_: sys.exit(1))  # what was made is removed
    move_apart()  # a namespace that somebody else's processes have in sight isn't gone when it is deleted
    with scene(rate, f"storm{os.getpid()}") as account:
        print(f"seed {seed}; at first: {held(account.routers)}", flush=True)
        until, told = time.monotonic() + 60 * minutes, time.monotonic()
        while time.monotonic() < until:
            router, event = choice.choice(account.routers), choice.choice(EVENTS)
            before = account.taken
            for line in happens(account, router, event):
                print(line, flush=True)
            if taken := account.taken - before:
                print(f"{event.__name__} of {router.name}: {taken} went with it", flush=True)
            done[event.__name__] += 1
            if time.monotonic() > told + 300:
                told = time.monotonic()
                print(f"{done.total()} events, {account.traffic.sent} frames: {held(account.routers)}", flush=True)
        print(f"at last: {held(account.routers)}")
        events = ", ".join(f"{count} {name}" for name, count in sorted(done.items()))
        print(f"{done.total()} events ({events}), {account.traffic.sent} frames, of which {account.taken} went with killed runtimes")
        print(f"{len(account.wrong)} mistakes")
        return int(bool(account.wrong))


if __name__ == "__main__":
    given = [*map(float, sys.argv[1:4]), *(MINUTES, RATE, time.time_ns() % 10**6)[len(sys.argv[1:4]) :]]
    sys.exit(main(given[0], int(given[1]), int(given[2])))
