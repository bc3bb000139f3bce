"""RatedSplitter: a number of packets a second to one output, the rest to the other."""

from __future__ import annotations

from ..common._bucket import PACKET_ARGS
from ._splitter import SplitterElement


class RatedSplitter(SplitterElement):
    """sends a number of packets per second to one output and the rest to another

    Synopsis: `RatedSplitter(RATE [, BURST_DURATION ..., BURST_SIZE ...])`

    Up to RATE packets per second leave by output 0, all others by output 1, or are dropped if that isn't connected. It is a
    token bucket, refilled each millisecond, whose size is a burst.

    Arguments:

      - RATE: Integer, packets per second.
      - BURST_DURATION: Time; a burst is RATE times this time. Default is 20ms.
      - BURST_SIZE: Integer, packets of a burst; not with BURST_DURATION.

    Ports: one push input, one or two push outputs.

    Handlers:

      - `rate` (read, write), `config` (read): RATE, read as the bucket rounds it.

    Example:

        FromDevice(eth0) -> s :: RatedSplitter(2000) -> Queue -> ToDevice(eth1);
        s[1] -> Print(excess) -> Discard;
    """

    args = PACKET_ARGS
