from __future__ import annotations

from clickbpf.args import Integer, Keyword
from clickbpf.vocabulary.element import PULL_TO_PUSH, field_handlers

from ._replay import ABOUT, ARGUMENTS, HANDLERS, Replaying

TIMING = Integer(32)


class ReplayUnqueue(Replaying):
    __doc__ = f"""sends the same packets again and again

    Synopsis: `ReplayUnqueue([STOP ..., STOP_TIME ..., LIMIT ..., BURST ..., TIMING ..., ACTIVE ..., VERBOSE ...])`

    {ABOUT} Packets are sent as fast as possible, or with TIMING at the intervals that their timestamps have. FastClick's
    TIMING_FNT is missing.

    Arguments:

      {ARGUMENTS}
      - TIMING: the speed in percent: 100 for the timestamps' own, 200 for double; 0 for no pauses. Default 0.

    Ports: one or more pull inputs, one push output.

    Handlers:

      {HANDLERS}
      - `timing` (read, write): TIMING.

    Example:

        FromDump(some.pcap) -> ReplayUnqueue(STOP 3, TIMING 100) -> Queue -> ToDevice(eth0);
    """
    processing = PULL_TO_PUSH
    entries = ("task", "timer", "init", *Replaying.entries)
    wakes = ("timer", "init")
    args = (*Replaying.args, Keyword("TIMING", TIMING, 0))

    timing = field_handlers("replay", TIMING, "notify")
