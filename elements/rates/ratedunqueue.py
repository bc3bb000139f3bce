"""RatedUnqueue: pulls a number of packets a second."""

from __future__ import annotations

from ..common._bucket import PACKET_ARGS
from ._ratedunqueue import RatedUnqueueElement


class RatedUnqueue(RatedUnqueueElement):
    """pull-to-push converter with a rate of packets

    Synopsis: `RatedUnqueue(RATE [, BURST_DURATION ..., BURST_SIZE ...])`

    Pulls at most RATE packets per second and pushes them out of its output. It is a token bucket, refilled each millisecond,
    whose size is a burst. It sleeps while there are no packets or no tokens.

    Arguments:

      - RATE: Integer, packets per second.
      - BURST_DURATION: Time; a burst is RATE times this time. Default is 20ms.
      - BURST_SIZE: Integer, packets of a burst; not with BURST_DURATION.

    Ports: one pull input, one push output.

    Handlers:

      - `rate` (read, write), `config` (read): RATE, read as the bucket rounds it.
      - `active` (read, write): false stops it.
      - `calls` (read): how often it ran, and to what effect.

    Example:

        FromDevice(eth0) -> Queue -> RatedUnqueue(1000) -> Counter -> Discard;
    """

    reconfigurable = True
    args = PACKET_ARGS
