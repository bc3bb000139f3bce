"""The paths of packets, as the page draws them."""

from typing import Any

from clickbpf.draw.shape import printable
from clickbpf.observe.traced.packets import Way

#: The most bytes of a packet to show.
SHOWN = 256


def plain_way(way: Way) -> dict[str, Any]:
    """A path, step by step."""
    return {
        "packet": way.number,
        "goes_on": way.goes_on,
        "from": way.came_from,
        "summary": printable(way.summary),
        "steps": [[step.element, step.port, step.where, list(map(printable, step.changes))] for step in way.steps],
        "ends": list(map(printable, way.ends)),
        "bytes": way.events[0].bytes[:SHOWN].hex(" "),
    }
