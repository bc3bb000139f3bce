"""BandwidthRatedUnqueue: pulls a number of bytes a second."""

from __future__ import annotations

from ..common._bucket import BYTE_ARGS, THRESHOLD
from ._ratedunqueue import RatedUnqueueElement


class BandwidthRatedUnqueue(RatedUnqueueElement):
    """pull-to-push converter with a rate of bytes

    Synopsis: `BandwidthRatedUnqueue(RATE [, BURST_DURATION ..., BURST_BYTES ...])`

    Pulls packets of at most RATE bytes per second and pushes them out of its output. It is a token bucket, refilled each
    millisecond, whose size is a burst. It sleeps while there are no packets or no tokens.

    Arguments:

      - RATE: Bandwidth, such as `384kbps`; bytes per second without a unit.
      - BURST_DURATION: Time; a burst is RATE times this time. Default is 20ms.
      - BURST_BYTES: Integer, bytes of a burst; not with BURST_DURATION.

    Ports: one pull input, one push output.

    Handlers:

      - `rate` (read, write), `config` (read): RATE, read as the bucket rounds it.
      - `active` (read, write): false stops it.
      - `calls` (read): how often it ran, and to what effect.

    Example:

        FromDevice(eth0) -> Queue -> BandwidthRatedUnqueue(1Mbps) -> Counter -> Discard;
    """

    reconfigurable = True
    args = BYTE_ARGS
    threshold = THRESHOLD
