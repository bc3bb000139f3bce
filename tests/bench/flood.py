"""A flood that the kernel path hands over, faster than the runtime takes it: where each frame is in the end. As root.

    .venv/bin/python tests/bench/flood.py [FRAMES] [FRAMES A SECOND]

What has left the router, what it counts as dropped and what the host's device refused are together what was sent.
"""

from __future__ import annotations

import json
import os
import subprocess
import sys
import time
from contextlib import ExitStack
from pathlib import Path

sys.path[:0] = [str(Path(__file__).parent)]

from swaps import CLICKBPF, ENVIRONMENT, Traffic, refused  # noqa: E402

from clickbpf.testing.netns import Network  # noqa: E402

FRAMES, RATE = 500_000, 2_000_000
TEXT = "FromDevice(eth0) -> c :: Counter -> Queue -> ToDevice(eth1);"
#: Seconds without a change after which nothing is on its way any more.
QUIET = 2


def drops(name: str) -> list[tuple[str, str, int]]:
    """Element, reason and count of drops, as `clickbpf drops` shows them."""
    listed = subprocess.run([*CLICKBPF, "drops", name, "--json"], env=ENVIRONMENT, capture_output=True, text=True, check=True).stdout
    return [(each["element"], each["reason"], each["count"]) for each in json.loads(listed)["drops"]]


def settled(traffic: Traffic, frames: int) -> None:
    seen, since = None, time.monotonic()
    while time.monotonic() < since + QUIET:
        now = (traffic.sent, traffic.received)
        if now != seen or traffic.sent < frames:
            seen, since = now, time.monotonic()
        time.sleep(0.1)


def main(frames: int, rate: int) -> int:
    name = f"flood{os.getpid()}"
    with ExitStack() as undo:
        net = undo.enter_context(Network())
        router, source, sink = (net.namespace(label) for label in ("router", "source", "sink"))
        for number, host in enumerate((source, sink)):
            net.veth(router, f"eth{number}", host, "eth0")
        router.run(*CLICKBPF, "load", "-n", name, "--user", "c", "-e", TEXT, env=ENVIRONMENT)
        undo.callback(router.run, *CLICKBPF, "unload", name, env=ENVIRONMENT)
        traffic = Traffic(source, sink, rate, undo, frames)
        before = refused((source, "eth0"))
        begin = time.monotonic()
        traffic.start()
        settled(traffic, frames)
        seconds = time.monotonic() - begin - QUIET
        traffic.stop()
        device = refused((source, "eth0")) - before
        dropped = drops(name)
        received = traffic.received[0]
        for element, reason, number in dropped:
            print(f"{number:10} dropped by {element}: {reason}")
        print(f"{device:10} refused by the host's device\n{received:10} left the router")
        total = received + device + sum(number for *_, number in dropped)
        print(f"{total:10} in all, of {traffic.sent} sent in {seconds:.1f} s")
        return int(total != traffic.sent)


if __name__ == "__main__":
    sys.exit(main(*map(int, sys.argv[1:3]), *(FRAMES, RATE)[len(sys.argv[1:3]) :]))
