from __future__ import annotations

from clickbpf.vocabulary.element import PASSES

from ._paint import PaintElement


class Paint(PaintElement):
    """sets packets' paint annotation

    Synopsis: `Paint(COLOR, [ANNO])`

    Arguments:

      - COLOR: a number from 0 to 255.
      - ANNO: an annotation of one byte, by name or offset. Default PAINT.

    Ports: one input, one output.

    Handlers:

      - `color` (read, write): COLOR.

    Example: packets remember which device they came from:

        FromDevice(eth0) -> Paint(1) -> in :: Null;
        FromDevice(eth1) -> Paint(2) -> in;
        in -> Discard;
    """

    bears_offloads = True
    looks = PASSES
    reconfigurable = True

    def annotations_written(self) -> tuple[tuple[int, int], ...]:
        return ((self.cfg.anno, 1),)
