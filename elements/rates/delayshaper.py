from __future__ import annotations

from clickbpf.vocabulary.element import PULL

from ._delay import DelayElement


class DelayShaper(DelayElement):
    """delays packets by a fixed time

    Synopsis: `DelayShaper(DELAY)`

    A packet with the timestamp T can be pulled from T + DELAY on, and then gets the present time as its timestamp; one
    without a timestamp gets it when it arrives. One packet waits here, those after it wait where they come from. The element that
    pulls sleeps meanwhile.

    Arguments:

      - DELAY: Time.

    Ports: one pull input, one pull output.

    Handlers:

      - `delay` (read, write): DELAY, for packets still to come.

    Example:

        FromDevice(eth0) -> Queue -> DelayShaper(20ms) -> ToDevice(eth1);
    """

    processing = PULL
    entries = ("pull", "timer", "cleanup")
