"""What the IP router forwards on each hook of the kernel, beside Linux' own forwarding, that which `clickbpf accelerate` makes of it, and
bare redirects. How it is measured says forwarding.py."""

from __future__ import annotations

import os
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from tests.bench import forwarding
from tests.bench.crossing import linux
from tests.bench.effort import Effort

from clickbpf.testing.netns import Namespace

LINUX, ACCELERATED = "Linux", "Linux, accelerated"
#: Seconds that a compiler may take.
PATIENCE = 120


def measure(effort: Effort) -> Iterator[tuple[str, list[float]]]:
    """(name, packets a second in each round)."""
    routers = {f"IP router, --hook {hook}": forwarding.routing("", "--hook", hook) for hook in ("xdp", "tc")}
    others = {LINUX: linux, ACCELERATED: accelerated, forwarding.CEILING: forwarding.redirecting("forward_mapped")}
    return forwarding.compared(others | routers, effort)


@contextmanager
def accelerated(router: Namespace) -> Iterator[None]:
    """Linux's routes and neighbours, in XDP."""
    clickbpf, name = str(Path(sys.executable).with_name("clickbpf")), f"bench{os.getpid()}"
    with linux(router):
        router.run(clickbpf, "accelerate", "-n", name, "eth0", "eth1", timeout=PATIENCE)
        try:
            time.sleep(0.5)
            yield
        finally:
            router.run(clickbpf, "unload", name)
