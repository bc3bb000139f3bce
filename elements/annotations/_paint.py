"""What Paint, CheckPaint and PaintTee have in common: a colour, and the annotation it is kept in."""

from __future__ import annotations

from clickbpf.args import Anno, Integer, Optional, Required
from clickbpf.vocabulary.annotations import ANNOTATIONS
from clickbpf.vocabulary.element import Element, field_handlers
from clickbpf.vocabulary.state import SETTINGS, Vars, u8

COLOR = Integer(8)


class PaintElement(Element):
    """COLOR, ANNO and the handler `color`."""

    args = (Required("COLOR", COLOR), Optional("ANNO", Anno(1), ANNOTATIONS["PAINT"][0]))
    state_types = {"vars": Vars(color=u8), "settings": SETTINGS}
    weight = 15

    color = field_handlers("vars", COLOR)
