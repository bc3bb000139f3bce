from __future__ import annotations

from collections.abc import Sequence

from ._paint import PaintElement


class PaintTee(PaintElement):
    """copies packets of one paint annotation to a second output

    Synopsis: `PaintTee(COLOR, [ANNO])`

    Every packet leaves by output 0; before one of that colour does, a copy leaves by output 1. The kernel path makes
    the copies under the conditions of Tee, and otherwise hands such packets over.

    Arguments:

      - COLOR: a number from 0 to 255.
      - ANNO: an annotation of one byte, by name or offset. Default PAINT.

    Ports: one input; output 0, and push output 1.

    Handlers:

      - `color` (read, write): COLOR.

    Example: a router that sends a packet back to where it came from reports the better way to the sender (RFC 1812, 5.2.7.2):

        FromDevice(eth0) -> Strip(14) -> CheckIPHeader -> Paint(1) -> rt :: StaticIPLookup(10.0.0.0/8 0);
        rt -> pt :: PaintTee(1) -> Discard;
        pt[1] -> ICMPError(10.0.0.1, redirect, host) -> rt;
    """

    bears_offloads = True
    keeps_header = True
    ports = "1/2"
    processing = "a/ah"

    def copies(self) -> Sequence[Sequence[int]]:
        return [(1, 0)]
