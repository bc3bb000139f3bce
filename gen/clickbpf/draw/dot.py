"""A picture in Graphviz's language, to be drawn by `dot`, or to be laid out for other drawings.

A box is a table with three rows of fixed sizes (inputs, text, outputs), so that the position of each port in it is known.
"""

from collections.abc import Iterator, Sequence
from html import escape

from clickbpf.draw.picture import MEANINGS, Box, Picture, PortDrawn
from clickbpf.draw.shape import COLOURS, EDGE, FONT, PULL_PORT, PUSH_PORT, RISE, body_height, printable, width

#: A table without borders or space around its cells.
PLAIN = '<TABLE BORDER="0" CELLBORDER="0" CELLSPACING="0" CELLPADDING="0">'


def dot(picture: Picture) -> str:
    """The whole graph."""
    return "\n".join((*_head(picture), *_boxes(picture), *_groups(picture), *_lines(picture), "}", ""))


def _head(picture: Picture) -> Iterator[str]:
    yield f"digraph {_quoted(picture.name or 'router')} {{"
    yield f'  graph [fontname="Helvetica", fontsize={FONT}, nodesep=0.25, ranksep=0.4, rankdir=TB];'
    yield f'  node [shape=plain, fontname="Helvetica", fontsize={FONT}];'
    yield f'  edge [arrowsize=0.6, color="{EDGE}"];'


def _boxes(picture: Picture) -> Iterator[str]:
    for number in _from_sources(picture):
        box = picture.boxes[number]
        yield f"  n{number} [tooltip={_quoted(_tooltip(box))}, label=<{_table(box)}>];"


def _from_sources(picture: Picture) -> list[int]:
    """The boxes in the order in which packets reach them, depth first: Graphviz draws lines back to an earlier box upwards."""
    leads: dict[int, list[int]] = {}
    for line in picture.lines:
        leads.setdefault(line.source, []).append(line.target)
    entered = {line.target for line in picture.lines}
    order: dict[int, None] = {}
    starts = [number for number in range(len(picture.boxes)) if number not in entered]
    pending = [*range(len(picture.boxes) - 1, -1, -1), *reversed(starts)]
    while pending:
        number = pending.pop()
        if number not in order:
            order[number] = None
            pending += reversed(leads.get(number, ()))
    return list(order)


def _tooltip(box: Box) -> str:
    return f"{box.name}: {', '.join(MEANINGS[where] for where in box.where)}"


def _groups(picture: Picture) -> Iterator[str]:
    """Nested clusters, made from the sorted names of the groups."""
    names = [name for name, _ in picture.groups]
    tops = [name for name in names if not any(name.startswith(other + "/") for other in names)]
    for top in tops:
        yield from _group(picture, top, "  ")


def _group(picture: Picture, name: str, indent: str) -> Iterator[str]:
    groups = dict(picture.groups)
    within = [other for other in groups if other.startswith(name + "/")]
    yield f"{indent}subgraph cluster_{list(groups).index(name)} {{"
    yield f'{indent}  style="rounded,dashed"; color="#777777"; label={_quoted(name)};'
    yield indent + "  " + " ".join(f"n{number};" for number in groups[name])
    for child in within:
        if not any(child.startswith(other + "/") for other in within):
            yield from _group(picture, child, indent + "  ")
    yield f"{indent}}}"


def _lines(picture: Picture) -> Iterator[str]:
    for number, line in enumerate(picture.lines):
        style = ', style="dashed"' if line.pull else ""
        yield f'  n{line.source}:o{line.output}:s -> n{line.target}:i{line.input}:n [id="l{number}"{style}];'


def _table(box: Box) -> str:
    colour = COLOURS[box.where[0]] if len(box.where) == 1 else ":".join(COLOURS[where] for where in box.where[:2])
    size = f'FIXEDSIZE="TRUE" WIDTH="{width(box)}"'
    text = '<BR/>'.join(f"<B>{_text(line)}</B>" if number == 0 else _text(line) for number, line in enumerate(box.lines))
    style = ' STYLE="dashed"' if box.outside else ""
    body = f'<TD {size} HEIGHT="{body_height(box)}" BORDER="{2 if box.compound else 1}" BGCOLOR="{colour}"{style}>{text}</TD>'
    rows = (_row(box, box.inputs, "i"), f"<TR>{body}</TR>", _row(box, box.outputs, "o"))
    return f"{PLAIN}{''.join(rows)}</TABLE>"


def _row(box: Box, ports: Sequence[PortDrawn], letter: str) -> str:
    """A side of the box: a cell for each port, with the port in its middle."""
    total, height = width(box), f'FIXEDSIZE="TRUE" HEIGHT="{RISE}"'
    if not ports:
        return f'<TR><TD {height} WIDTH="{total}"></TD></TR>'
    edges = [round(total * number / len(ports)) for number in range(len(ports) + 1)]
    cells = "".join(
        f'<TD {height} WIDTH="{end - begin}" PORT="{letter}{number}">{_port(port)}</TD>'
        for number, (port, begin, end) in enumerate(zip(ports, edges, edges[1:]))
    )
    return f'<TR><TD {height} WIDTH="{total}">{PLAIN}<TR>{cells}</TR></TABLE></TD></TR>'


def _port(port: PortDrawn) -> str:
    """A small square, with a grey border if the port is agnostic."""
    colours = f'BGCOLOR="{PUSH_PORT if port.mode == "push" else PULL_PORT}" COLOR="{"#999999" if port.agnostic else "#000000"}"'
    return f'{PLAIN}<TR><TD FIXEDSIZE="TRUE" WIDTH="{RISE - 1}" HEIGHT="{RISE - 1}" BORDER="1" {colours}></TD></TR></TABLE>'


def _text(text: str) -> str:
    return escape(printable(text))


def _quoted(text: str) -> str:
    """A quoted string in Graphviz's language, with backslashes escaped."""
    return '"' + printable(text).replace("\\", "\\\\").replace('"', '\\"').replace("\n", " ") + '"'


