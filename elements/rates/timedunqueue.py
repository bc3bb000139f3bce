from ._timed import TimedElement, timed_args


class TimedUnqueue(TimedElement):
    """pull-to-push converter that runs once in an interval

    Pulls at most BURST packets each INTERVAL and pushes them out of its output, for the first time when the router starts. When it
    has found none ten times in a row it sleeps, and the next packet passes at once.

    Example:

        FromDevice(eth0) -> Queue -> TimedUnqueue(100ms, 5) -> Counter -> Discard;
    """

    args = timed_args(1)
