"""What Paint, CheckPaint and PaintTee have in common: a colour, and the annotation it is kept in."""

from clickbpf.declare import ANNOTATIONS, Anno, Element, Integer, Optional, Required

COLOR = Integer(8)
#: The annotation of two bytes that FastClick calls PAINT2.
PAINT2 = 16


class PaintElement(Element):
    """COLOR, ANNO and the handler `color`."""

    args = (
        Required("COLOR", COLOR, "a number from 0 to 255", setting=True),
        Optional("ANNO", Anno(1), ANNOTATIONS["PAINT"][0], "an annotation of one byte, by name or offset. Default PAINT"),
    )
