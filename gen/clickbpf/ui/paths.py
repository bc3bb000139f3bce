"""The paths of packets, as the page draws them."""

from typing import Any

from clickbpf.draw.shape import printable
from clickbpf.observe.traced.packets import PacketPath

#: The most bytes of a packet to show.
SHOWN = 256


def plain_path(path: PacketPath) -> dict[str, Any]:
    """A path, step by step."""
    return {
        "packet": path.number,
        "goes_on": path.goes_on,
        "from": path.came_from,
        "summary": printable(path.summary),
        "steps": [[step.element, step.port, step.where, list(map(printable, step.changes))] for step in path.steps],
        "ends": list(map(printable, path.ends)),
        "bytes": path.events[0].bytes[:SHOWN].hex(" "),
    }
