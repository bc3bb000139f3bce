from ._timed import TimedElement, timed_args


class TimedUnqueue(TimedElement):
    """pull-to-push converter that runs once in an interval

    Pulls at most BURST packets each INTERVAL and pushes them out, beginning when the router starts. After ten empty intervals in a
    row it sleeps until the next packet, and passes it at once.

    Example: FromDevice(eth0) -> Queue -> TimedUnqueue(100ms, 5) -> Counter -> Discard;
    """

    args = timed_args(1)
