"""BandwidthRatedSplitter: a number of bytes a second to one output, the rest to the other."""

from __future__ import annotations

from ..common._bucket import BYTE_ARGS, THRESHOLD
from ._splitter import SplitterElement


class BandwidthRatedSplitter(SplitterElement):
    """sends a number of bytes per second to one output and the rest to another

    Synopsis: `BandwidthRatedSplitter(RATE [, BURST_DURATION ..., BURST_BYTES ...])`

    Packets of up to RATE bytes per second leave by output 0, all others by output 1, or are dropped if that isn't
    connected. It is a token bucket, refilled each millisecond, whose size is a burst.

    Arguments:

      - RATE: Bandwidth, such as `384kbps`; bytes per second without a unit.
      - BURST_DURATION: Time; a burst is RATE times this time. Default is 20ms.
      - BURST_BYTES: Integer, bytes of a burst; not with BURST_DURATION.

    Ports: one push input, one or two push outputs.

    Handlers:

      - `rate` (read, write), `config` (read): RATE, read as the bucket rounds it.

    Example:

        FromDevice(eth0) -> s :: BandwidthRatedSplitter(1Mbps) -> Queue -> ToDevice(eth1);
        s[1] -> Print(excess) -> Discard;
    """

    args = BYTE_ARGS
    threshold = THRESHOLD
