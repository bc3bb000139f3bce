from __future__ import annotations

from ..common._bucket import BYTE_ARGS, BYTE_TEXT, THRESHOLD
from ._splitter import MANUAL, SplitterElement


class BandwidthRatedSplitter(SplitterElement):
    __doc__ = MANUAL.format(name="BandwidthRatedSplitter", example="1Mbps", **BYTE_TEXT)
    args = BYTE_ARGS
    threshold = THRESHOLD
