from __future__ import annotations

from clickbpf.vocabulary.element import CHOOSES

from ._paint import PaintElement


class CheckPaint(PaintElement):
    """separates packets of one paint annotation from others

    Synopsis: `CheckPaint(COLOR, [ANNO])`

    Packets of that colour leave by output 0. Others leave by output 1, or are dropped if that is not there.

    Arguments:

      - COLOR: a number from 0 to 255.
      - ANNO: an annotation of one byte, by name or offset. Default PAINT.

    Ports: one input; output 0, and push output 1 (may be missing).

    Handlers:

      - `color` (read, write): COLOR.

    Example:

        FromDevice(eth0) -> Paint(1) -> CheckPaint(1) -> Discard;
    """

    bears_offloads = True
    looks = CHOOSES
    ports = "1/1-2"
    processing = "a/ah"
