from clickbpf.declare import PULL_TO_PUSH

from ._delay import DelayElement


class DelayUnqueue(DelayElement, processing=PULL_TO_PUSH):
    """pull-to-push converter that delays packets

    A packet with the timestamp T is pushed on at T + DELAY, which is its timestamp then; one without a timestamp counts from
    when it is pulled. One packet waits here, those after it wait where they come from.

    Example:

        FromDevice(eth0) -> Queue -> DelayUnqueue(20ms) -> Counter -> Discard;
    """

    wakes = ("timer", "init")
