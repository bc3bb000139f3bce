from clickbpf.declare import PULL

from ._delay import DelayElement


class DelayShaper(DelayElement, processing=PULL):
    """delays packets by a fixed time

    A packet with the timestamp T can be pulled from T + DELAY on, with the time of the pull as its new timestamp. For a packet
    without a timestamp, T is the time of its arrival here. One packet waits here, later ones upstream. The pulling element sleeps
    meanwhile.

    Example: FromDevice(eth0) -> Queue -> DelayShaper(20ms) -> ToDevice(eth1);
    """

