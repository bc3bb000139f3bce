from __future__ import annotations

from ..common._bucket import PACKET_ARGS, PACKET_TEXT
from ._splitter import MANUAL, SplitterElement


class RatedSplitter(SplitterElement):
    __doc__ = MANUAL.format(name="RatedSplitter", example="2000", **PACKET_TEXT)
    args = PACKET_ARGS
