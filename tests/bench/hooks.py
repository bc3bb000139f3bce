"""What the IP router forwards on each hook of the kernel, beside Linux' own forwarding. How it is measured says forwarding.py."""

from __future__ import annotations

from collections.abc import Iterator

from tests.bench import forwarding
from tests.bench.crossing import linux
from tests.bench.effort import Effort

LINUX = "Linux"


def measure(effort: Effort) -> Iterator[tuple[str, list[float]]]:
    """(name, packets a second in each round)."""
    routers = {f"IP router, --hook {hook}": forwarding.routing("", "--hook", hook) for hook in ("xdp", "tc")}
    return forwarding.compared({LINUX: linux} | routers, effort)
