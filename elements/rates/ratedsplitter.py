from ..common._bucket import PACKET_ARGS
from ._splitter import MANUAL, SplitterElement


class RatedSplitter(SplitterElement):
    __doc__ = MANUAL.format(name="RatedSplitter", example="2000", unit="packets")
    args = PACKET_ARGS
