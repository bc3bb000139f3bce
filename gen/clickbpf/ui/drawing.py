"""A router's graph for the page to draw: a laid-out picture, and details of its elements."""

import json
import threading
from collections.abc import Collection
from dataclasses import replace
from typing import Any

from clickbpf.draw.layout import lay_out
from clickbpf.draw.picture import MEANINGS, Box, compounds, picture
from clickbpf.draw.shape import height, printable, width
from clickbpf.draw.svg import drawing
from clickbpf.ui.subjects import Shown, Subject
from clickbpf.vocabulary.drops import REASONS
from clickbpf.vocabulary.manual import manual

#: The most graphs to keep.
KEPT = 16


class Drawings:
    """Graphs as JSON; the last requested ones are kept for other viewers of the same router."""

    def __init__(self) -> None:
        self._made: dict[tuple[str, str, str, frozenset[str]], str] = {}
        self._lock = threading.Lock()

    def graph(self, subject: Subject, unfolded: frozenset[str]) -> str:
        """The current result of graph(); simultaneous requests wait for each other, so that no graph is made twice."""
        with self._lock:
            shown = subject.shown()
            key = (subject.kind, subject.name, shown.version, unfolded)
            self._made[key] = found = self._made.pop(key, "") or json.dumps(graph(shown, unfolded), separators=(",", ":"))
            while len(self._made) > KEPT:
                del self._made[next(iter(self._made))]
        return found


def graph(shown: Shown, unfolded: Collection[str]) -> dict[str, Any]:
    """The picture with these compounds unfolded, as SVG, and the positions of its parts, in points from the upper left corner."""
    drawn = picture(shown.plan, unfolded=unfolded)
    drawn = replace(drawn, boxes=tuple(_without_keys(shown, box) for box in drawn.boxes))
    layout = lay_out(drawn)
    router = shown.plan.checked.router
    return {
        "version": shown.version,
        "width": layout.width,
        "height": layout.height,
        "drawing": drawing(drawn, layout),
        "boxes": [_box(shown, box, centre) for box, centre in zip(drawn.boxes, layout.centres)],
        "lines": [
            {"source": line.source, "target": line.target, "connection": line.connection, "points": points}
            for line, (points, _) in zip(drawn.lines, layout.lines)
        ],
        "compounds": compounds(shown.plan),
        "unfolded": sorted(name for name, _ in drawn.groups),
        "elements": [element.name for element in router.elements],
        "entries": sorted({e.receives_from() for e in shown.plan.checked.instances.values()} & set(shown.plan.devices)),
        "reasons": REASONS,
        "meanings": {where: MEANINGS[where] for where in MEANINGS if any(where in box.where for box in drawn.boxes)},
    }


def _box(shown: Shown, box: Box, centre: tuple[float, float]) -> dict[str, Any]:
    element = None if box.compound else shown.plan.checked.router.element(box.name)
    return {
        "name": box.name,
        "lines": list(map(printable, box.lines)),
        "class": element.class_name if element else "",
        "where": box.where,
        "compound": box.compound,
        "centre": centre,
        "size": (width(box), height(box)),
    }


def _without_keys(shown: Shown, box: Box) -> Box:
    """The box, without its element's arguments if there are keys in them."""
    if box.compound or shown.hidden[box.name] == shown.plan.checked.router.element(box.name).config:
        return box
    return replace(box, lines=box.lines[:-1])


def element(shown: Shown, name: str) -> dict[str, Any] | None:
    """The details of an element; None if there is no element of that name."""
    plan = shown.plan
    router = plan.checked.router
    if name not in router:
        return None
    declared, placed, instance = router.element(name), plan.placements[name], plan.checked.instances[name]
    return {
        "name": name,
        "class": declared.class_name,
        "config": printable(shown.hidden[name].strip()),
        "place": printable(str(declared.place or "")),
        "where": placed.where,
        "runs": MEANINGS[placed.where],
        "reason": printable(placed.reason),
        "from": [[c.source.element, c.source.port, c.target.port] for c in router.connections_to(name)],
        "to": [[c.target.element, c.source.port, c.target.port] for c in router.connections_from(name)],
        "manual": manual(type(instance)),
    }
