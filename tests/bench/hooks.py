"""What the IP router forwards on each hook of the kernel, beside Linux' own forwarding. How it is measured says forwarding.py."""

from __future__ import annotations

from collections.abc import Iterator

import forwarding
from crossing import linux

LINUX = "Linux"


def measure() -> Iterator[tuple[str, float]]:
    """(name, packets a second)."""
    routers = {f"IP router, --hook {hook}": forwarding.routing("", "--hook", hook) for hook in ("xdp", "tc")}
    return forwarding.compared({LINUX: linux} | routers)
