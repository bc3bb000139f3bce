from clickbpf.declare import PULL_TO_PUSH

from ._delay import DelayElement


class DelayUnqueue(DelayElement, processing=PULL_TO_PUSH):
    """pull-to-push converter that delays packets

    A packet with the timestamp T is pushed on at T + DELAY, its new timestamp. For a packet without a timestamp, T is the time of
    the pull. One packet waits here, later ones upstream.

    Example: FromDevice(eth0) -> Queue -> DelayUnqueue(20ms) -> Counter -> Discard;
    """

    wakes = ("timer", "init")
