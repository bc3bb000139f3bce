from ._timed import TimedElement, timed_args


class Burster(TimedElement):
    """pull-to-push converter that sends a burst each interval

    A TimedUnqueue with another default of BURST.

    Example: FromDevice(eth0) -> Queue -> Burster(100ms) -> Counter -> Discard;
    """

    args = timed_args(8)
