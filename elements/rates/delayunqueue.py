from __future__ import annotations

from clickbpf.vocabulary.element import PULL_TO_PUSH

from ._delay import DelayElement


class DelayUnqueue(DelayElement):
    """pull-to-push converter that delays packets

    Synopsis: `DelayUnqueue(DELAY)`

    A packet with the timestamp T is pushed on at T + DELAY, which is its timestamp then; one without a timestamp counts from
    when it is pulled. One packet waits here, those after it wait where they come from.

    Arguments:

      - DELAY: Time.

    Ports: one pull input, one push output.

    Handlers:

      - `delay` (read, write): DELAY, for packets still to come.

    Example:

        FromDevice(eth0) -> Queue -> DelayUnqueue(20ms) -> Counter -> Discard;
    """

    processing = PULL_TO_PUSH
    entries = ("task", "timer", "init", "cleanup")
    wakes = ("timer", "init")
