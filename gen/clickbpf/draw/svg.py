"""A laid-out picture as SVG, suitable for print, and without external resources. Ports are drawn as in Click: inputs are triangles, outputs
squares; push ports are black, pull ports white, and agnostic ones have an outline."""

from collections.abc import Iterator
from html import escape

from clickbpf.draw.layout import Layout, pairs
from clickbpf.draw.picture import MEANINGS, Box, Line, Picture, PortDrawn
from clickbpf.draw.shape import COLOURS, EDGE, FONT, LEADING, PORT, PULL_PORT, PUSH_PORT, RISE, height, port_centre, printable, width

AROUND = 12
#: The height of the legend, and the width that it needs.
LEGEND, LEGEND_WIDTH = 48, 640
OUTLINE = 'class="agnostic" fill="none" stroke-width="0.8"'
SANS = "Helvetica, Arial, 'DejaVu Sans', sans-serif"


def svg(picture: Picture, layout: Layout) -> str:
    """The drawing as a complete SVG document."""
    wide, tall = max(layout.width, LEGEND_WIDTH) + 2 * AROUND, layout.height + 2 * AROUND + LEGEND
    left = (wide - layout.width) / 2
    parts = (
        f'<svg xmlns="http://www.w3.org/2000/svg" width="{wide:.0f}" height="{tall:.0f}" viewBox="0 0 {wide:.0f} {tall:.0f}" '
        f'font-family="{SANS}" font-size="{FONT}">',
        f"<title>{_text(picture.name or 'router')}</title>",
        f'<rect width="{wide:.0f}" height="{tall:.0f}" fill="#ffffff"/>',
        f'<g transform="translate({left:.1f} {AROUND})">',
        drawing(picture, layout),
        "</g>",
        *_legend(picture, tall - LEGEND),
        "</svg>",
        "",
    )
    return "\n".join(parts)


def drawing(picture: Picture, layout: Layout) -> str:
    """Only the parts of the drawing. Their classes and attributes are for style sheets and scripts of pages that contain the drawing."""
    parts = (
        *(_group(name, corners) for (name, _), corners in zip(picture.groups, layout.groups)),
        *(_line(line, points, end) for line, (points, end) in zip(picture.lines, layout.lines)),
        *(part for box, centre in zip(picture.boxes, layout.centres) for part in _box(box, *centre)),
    )
    return "\n".join(parts)


def _group(name: str, corners: tuple[float, float, float, float]) -> str:
    left, top, right, bottom = corners
    frame = f'<rect x="{left:.1f}" y="{top:.1f}" width="{right - left:.1f}" height="{bottom - top:.1f}" rx="6" fill="none"'
    title = f'<text x="{left + 6:.1f}" y="{top + 13:.1f}" fill="#555555">{_text(name)}</text>'
    return f'<g class="unfolded" data-name="{_text(name)}">{frame} stroke="#777777" stroke-dasharray="4 3"/>{title}</g>'


def _line(line: Line, points, end) -> str:
    """A curve with an arrowhead, dashed if packets are pulled."""
    first, *others = pairs(points)
    curve = f"M{first} C{' '.join(others)}" if others else f"M{first}"
    (x, y), (ex, ey) = points[-1], end
    length = max(1e-6, ((ex - x) ** 2 + (ey - y) ** 2) ** 0.5)
    across = ((y - ey) / length * 3, (ex - x) / length * 3)
    head = ((x + across[0], y + across[1]), (x - across[0], y - across[1]), end)
    dashes = ' stroke-dasharray="4 3"' if line.pull else ""
    return (
        f'<g class="line" data-from="{line.source}" data-to="{line.target}"><path d="{curve}" fill="none" stroke="{EDGE}"{dashes}/>'
        f'<polygon points="{" ".join(pairs(head))}" fill="{EDGE}"/></g>'
    )


def _box(box: Box, x: float, y: float) -> Iterator[str]:
    """A box at its centre: body, ports, text."""
    wide, tall = width(box), height(box)
    left, top = x - wide / 2, y - tall / 2
    where = ", ".join(MEANINGS[each] for each in box.where)
    kind = "compound" if box.compound else "element"
    yield f'<g class="box {kind}" tabindex="0" role="button" data-name="{_text(box.name)}"><title>{_text(f"{box.name}: {where}")}</title>'
    yield from _body(box, left, top + RISE, wide, tall - 2 * RISE)
    for number, port in enumerate(box.inputs):
        yield _input(port, left + port_centre(box, number, len(box.inputs)), top)
    for number, port in enumerate(box.outputs):
        yield _output(port, left + port_centre(box, number, len(box.outputs)), top + tall - RISE)
    first = y - (len(box.lines) - 1) * LEADING / 2 + FONT * 0.36
    for number, line in enumerate(box.lines):
        weight = ' font-weight="bold"' if number == 0 else ' fill="#333333"'
        yield f'<text x="{x:.1f}" y="{first + number * LEADING:.1f}" text-anchor="middle"{weight}>{_text(line)}</text>'
    yield "</g>"


def _body(box: Box, left: float, top: float, wide: float, tall: float) -> Iterator[str]:
    """A stripe for each executor of the box's elements, and a frame."""
    for number, where in enumerate(box.where):
        at, part = left + wide * number / len(box.where), wide / len(box.where)
        yield f'<rect x="{at:.1f}" y="{top:.1f}" width="{part:.1f}" height="{tall:.1f}" fill="{COLOURS[where]}" class="in-{where}"/>'
    dashes = ' stroke-dasharray="3 3"' if box.outside or "elided" in box.where else ""
    frame = f'<rect class="frame" x="{left:.1f}" y="{top:.1f}" width="{wide:.1f}" height="{tall:.1f}" fill="none" stroke="{EDGE}"{dashes}'
    yield f'{frame} stroke-width="{2 if box.compound else 1}"/>'


def _paint(port: PortDrawn) -> str:
    return f'class="{port.mode}" fill="{PUSH_PORT if port.mode == "push" else PULL_PORT}"'


def _input(port: PortDrawn, x: float, top: float) -> str:
    """A triangle that points into the box."""

    def triangle(half: float, above: float, below: float, rest: str) -> str:
        corners = ((x - half, top - above), (x + half, top - above), (x, top + RISE + below))
        return f'<polygon points="{" ".join(pairs(corners))}" stroke="black" {rest}/>'

    ring = triangle(PORT / 2 + 4, 2, 4, OUTLINE) if port.agnostic else ""
    return ring + triangle(PORT / 2, 0, 0, _paint(port))


def _output(port: PortDrawn, x: float, top: float) -> str:
    """A square below the box."""

    def square(around: float, rest: str) -> str:
        size = RISE - 1 + 2 * around
        return f'<rect x="{x - size / 2:.1f}" y="{top - around:.1f}" width="{size:.1f}" height="{size:.1f}" stroke="black" {rest}/>'

    ring = square(2, OUTLINE) if port.agnostic else ""
    return ring + square(0, _paint(port))


def _legend(picture: Picture, top: float) -> Iterator[str]:
    """The legend: the colours in the picture, and the kinds of ports."""
    x = AROUND
    for where in (each for each in MEANINGS if any(each in box.where for box in picture.boxes)):
        yield f'<rect x="{x:.0f}" y="{top:.0f}" width="14" height="11" fill="{COLOURS[where]}" stroke="{EDGE}"/>'
        yield f'<text x="{x + 19:.0f}" y="{top + 10:.0f}">{_text(MEANINGS[where])}</text>'
        x += 19 + len(MEANINGS[where]) * 6 + 12
    x = AROUND + 6
    for port, words in ((PortDrawn("push"), "push"), (PortDrawn("pull"), "pull"), (PortDrawn("push", True), "agnostic")):
        yield _input(port, x, top + 22) + _output(port, x + 15, top + 22.5)
        yield f'<text x="{x + 26:.0f}" y="{top + 30:.0f}">{words}</text>'
        x += 26 + len(words) * 7 + 18
    yield f'<text x="{x:.0f}" y="{top + 30:.0f}">inputs: triangles, outputs: squares; a bold frame is a compound</text>'


def _text(text: str) -> str:
    return escape(printable(text))
