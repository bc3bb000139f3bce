from clickbpf.declare import PULL_TO_PUSH, Integer, Keyword

from ._replay import ABOUT, HANDLERS, Replaying

TIMING = Integer(32)


class ReplayUnqueue(Replaying, processing=PULL_TO_PUSH):
    __doc__ = f"""sends the same packets again and again

    {ABOUT} Packets are sent as fast as possible, or with TIMING at the intervals of their timestamps. FastClick's TIMING_FNT is
    missing.

    Handlers:

      {HANDLERS}

    Example: FromDump(some.pcap) -> ReplayUnqueue(STOP 3, TIMING 100) -> Queue -> ToDevice(eth0);
    """
    wakes = ("timer", "init")
    args = (
        *Replaying.args,
        Keyword("TIMING", TIMING, 0, "the speed in percent: 100 for that of the timestamps, 200 for double; 0 for no pauses",
            setting="replay", then="notify"),
    )
