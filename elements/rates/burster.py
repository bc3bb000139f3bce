from __future__ import annotations

from ._timed import TimedElement, timed_args


class Burster(TimedElement):
    """pull-to-push converter that sends a burst each interval

    Synopsis: `Burster(INTERVAL [, BURST])`

    A TimedUnqueue with another default of BURST.

    Arguments:

      - INTERVAL: Time, in milliseconds.
      - BURST: Integer. Default is 8.

    Ports: one pull input, one push output.

    Example:

        FromDevice(eth0) -> Queue -> Burster(100ms) -> Counter -> Discard;
    """

    args = timed_args(8)
