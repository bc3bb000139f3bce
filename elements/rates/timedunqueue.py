from __future__ import annotations

from ._timed import TimedElement, timed_args


class TimedUnqueue(TimedElement):
    """pull-to-push converter that runs once in an interval

    Synopsis: `TimedUnqueue(INTERVAL [, BURST])`

    Pulls at most BURST packets each INTERVAL and pushes them out of its output, for the first time when the router starts. When it
    has found none ten times in a row it sleeps, and the next packet passes at once.

    Arguments:

      - INTERVAL: Time, in milliseconds.
      - BURST: Integer. Default is 1.

    Ports: one pull input, one push output.

    Example:

        FromDevice(eth0) -> Queue -> TimedUnqueue(100ms, 5) -> Counter -> Discard;
    """

    args = timed_args(1)
