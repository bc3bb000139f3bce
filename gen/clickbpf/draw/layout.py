"""Graphviz's positions of the boxes and lines of a picture. Coordinates are in points (1/72 inch) right and down from the upper left
corner."""

import json
import subprocess
from collections.abc import Iterator

from clickbpf.draw.dot import dot
from clickbpf.draw.picture import Picture
from clickbpf.errors import ClickError
from clickbpf.frozen import frozen

#: Seconds that laying out a picture may take.
PATIENCE = 120.0
Point = tuple[float, float]


@frozen
class Layout:
    """The `centres` of the boxes; for each line the points of its Bézier curves and the end of its arrow; for each group its corners (left,
    top, right, bottom)."""

    width: float
    height: float
    centres: tuple[Point, ...]
    lines: tuple[tuple[tuple[Point, ...], Point], ...]
    groups: tuple[tuple[float, float, float, float], ...]


def lay_out(picture: Picture) -> Layout:
    """Lay out a picture; ClickError if Graphviz isn't installed or takes too long."""
    try:
        done = subprocess.run(["dot", "-Tjson0"], input=dot(picture), capture_output=True, text=True, timeout=PATIENCE)
    except FileNotFoundError:
        hint = "apt-get install graphviz; --dot needs nothing else"
        raise ClickError("drawings are laid out by Graphviz, whose command 'dot' is not installed", hint=hint) from None
    except subprocess.TimeoutExpired:
        raise ClickError(f"Graphviz has not laid the drawing out in {PATIENCE:g} seconds", hint="--dot writes it for other tools") from None
    if done.returncode:
        raise ClickError(f"Graphviz has failed: {done.stderr.strip()[-500:]}")
    return _read(json.loads(done.stdout), picture)


def _read(graph: dict, picture: Picture) -> Layout:
    _, _, width, height = map(float, graph["bb"].split(","))
    objects = {each["name"]: each for each in graph.get("objects", ())}
    edges = {each["id"]: each for each in graph.get("edges", ())}
    flip = _Flip(height)
    return Layout(
        width,
        height,
        tuple(flip.point(objects[f"n{number}"]["pos"]) for number in range(len(picture.boxes))),
        tuple(flip.curve(edges[f"l{number}"]["pos"]) for number in range(len(picture.lines))),
        tuple(flip.corners(objects[f"cluster_{number}"]["bb"]) for number in range(len(picture.groups))),
    )


@frozen
class _Flip:
    """Converts Graphviz's coordinates, which start at the bottom."""

    height: float

    def point(self, text: str) -> Point:
        x, y = map(float, text.split(","))
        return x, self.height - y

    def curve(self, text: str) -> tuple[tuple[Point, ...], Point]:
        """`e,x,y x,y ...`: the arrow's end, then the curve's points."""
        words = text.replace("\\\n", "").split()
        ends = [word[2:] for word in words if word.startswith("e,")]
        points = tuple(self.point(word) for word in words if not word.startswith(("e,", "s,")))
        return points, self.point(ends[0]) if ends else points[-1]

    def corners(self, text: str) -> tuple[float, float, float, float]:
        left, low, right, high = map(float, text.split(","))
        return left, self.height - high, right, self.height - low


def pairs(points: tuple[Point, ...]) -> Iterator[str]:
    """Points in the format of SVG's attributes."""
    return (f"{x:.1f},{y:.1f}" for x, y in points)
