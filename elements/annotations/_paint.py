"""The base of Paint, CheckPaint and PaintTee: a colour and its annotation."""

from clickbpf.declare import ANNOTATIONS, Anno, Element, Integer, Optional, Required

COLOR = Integer(8)
#: FastClick's two-byte annotation PAINT2.
PAINT2 = 16


class PaintElement(Element):
    """COLOR, ANNO and the handler `color`."""

    args = (
        Required("COLOR", COLOR, "a number from 0 to 255", setting=True),
        Optional("ANNO", Anno(1), ANNOTATIONS["PAINT"][0], "an annotation of one byte, by name or offset. Default PAINT"),
    )
