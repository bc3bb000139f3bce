from clickbpf.declare import PULL_TO_PUSH

from ._replay import ABOUT, HANDLERS, Replaying


class MultiReplayUnqueue(Replaying, ports="1-/=", processing=PULL_TO_PUSH):
    __doc__ = f"""sends the same packets of several inputs again and again

    {ABOUT} A packet leaves by the output with its input's number.

    Handlers:

      {HANDLERS}

    Example:

        r :: MultiReplayUnqueue(STOP 3);
        FromDump(left.pcap) -> r -> Queue -> ToDevice(eth0);
        FromDump(right.pcap) -> [1] r [1] -> Queue -> ToDevice(eth1);
    """
    wakes = ("timer", "init")
