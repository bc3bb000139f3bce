"""What elaboration makes of texts, as short lists."""

import pytest

from clickbpf.errors import ClickError
from clickbpf.graph.elaborate import read_text

CLASSES = {"Idle", "Null", "Queue", "Discard", "Paint"}


def flat(text, **options):
    """Elements as `name :: Class(config)`, and connections, of the flat router."""
    router = read_text(text, **options)
    elements = [
        f"{e.name} :: {e.class_name}" + (f"({e.config})" if e.config else "")
        for e in router.elements
    ]
    return elements, [str(c) for c in router.connections]


def elements(text, **options):
    return flat(text, **options)[0]


def connections(text, **options):
    """Connections with `[0]` left out."""
    return [c.replace("[0]", "") for c in flat(text, **options)[1]]


def mistakes(text, known=CLASSES, **options):
    """(line, column, message) of each mistake."""
    with pytest.raises(ClickError) as raised:
        read_text(text, known=known, **options)
    return [(d.place.line, d.place.column, d.message) for d in raised.value.diagnostics]


def hints(text, known=CLASSES):
    with pytest.raises(ClickError) as raised:
        read_text(text, known=known)
    return [d.hint for d in raised.value.diagnostics]
