from ..common._bucket import BYTE_ARGS, THRESHOLD
from ._splitter import MANUAL, SplitterElement


class BandwidthRatedSplitter(SplitterElement):
    __doc__ = MANUAL.format(name="BandwidthRatedSplitter", example="1Mbps", unit="bytes")
    args = BYTE_ARGS
    threshold = THRESHOLD
