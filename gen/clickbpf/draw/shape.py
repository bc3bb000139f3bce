"""Sizes and colours of boxes, and positions of their ports: the same for Graphviz and for the drawings.

Lengths are in points, 72 to an inch.
"""

import unicodedata

from clickbpf.draw.picture import Box
from clickbpf.objects.hooks import TC, XDP
from clickbpf.plan.values import CONTROL, ELIDED, USER

#: Text: its size, the width of a character (an upper estimate for a sans serif font), the height of a line.
FONT, CHARACTER, LEADING = 11, 7.1, 14
#: A port's width and height, and the least space between two ports.
PORT, RISE, GAP = 9, 7, 5
MARGIN, NARROWEST = 8, 48

COLOURS = {XDP: "#cfe5f6", TC: "#d8d2f0", USER: "#ffe0b3", ELIDED: "#eef3f7", CONTROL: "#ececec"}
PUSH_PORT, PULL_PORT, EDGE = "#000000", "#ffffff", "#333333"


def width(box: Box) -> int:
    texts = max((_columns(line) for line in box.lines), default=0) * CHARACTER + 2 * MARGIN
    ports = max(len(box.inputs), len(box.outputs)) * (PORT + GAP) + GAP
    return round(max(texts, ports, NARROWEST))


def _columns(text: str) -> int:
    """Wide characters count twice."""
    return sum(2 if unicodedata.east_asian_width(c) in "WF" else 1 for c in text)


def body_height(box: Box) -> int:
    return len(box.lines) * LEADING + 2 * 5


def height(box: Box) -> int:
    return body_height(box) + 2 * RISE


def port_centre(box: Box, number: int, count: int) -> float:
    """The distance of a port from the left edge of its box; ports are spread evenly."""
    return width(box) * (number + 0.5) / count


def printable(text: str) -> str:
    """Replace characters that XML doesn't allow, since a configuration may contain any."""
    return "".join(c if c in "\t\n" or (c.isprintable() and not 0xD800 <= ord(c) <= 0xDFFF) else "�" for c in text)
