from clickbpf.declare import PULL

from ._delay import DelayElement


class DelayShaper(DelayElement, processing=PULL):
    """delays packets by a fixed time

    A packet with the timestamp T can be pulled from T + DELAY on, and then gets the present time as its timestamp; one
    without a timestamp gets it when it arrives. One packet waits here, those after it wait where they come from. The element that
    pulls sleeps meanwhile.

    Example:

        FromDevice(eth0) -> Queue -> DelayShaper(20ms) -> ToDevice(eth1);
    """

