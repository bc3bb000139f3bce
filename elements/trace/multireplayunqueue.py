from __future__ import annotations

from clickbpf.vocabulary.element import PULL_TO_PUSH

from ._replay import ABOUT, ARGUMENTS, HANDLERS, Replaying


class MultiReplayUnqueue(Replaying):
    __doc__ = f"""sends the same packets of several inputs again and again

    Synopsis: `MultiReplayUnqueue([STOP ..., STOP_TIME ..., LIMIT ..., BURST ..., ACTIVE ..., VERBOSE ...])`

    {ABOUT} A packet leaves by the output with the number of
    its input.

    Arguments:

      {ARGUMENTS}

    Ports: one or more pull inputs, and as many push outputs.

    Handlers:

      {HANDLERS}

    Example:

        r :: MultiReplayUnqueue(STOP 3);
        FromDump(left.pcap) -> r -> Queue -> ToDevice(eth0);
        FromDump(right.pcap) -> [1] r [1] -> Queue -> ToDevice(eth1);
    """
    ports = "1-/="
    processing = PULL_TO_PUSH
    entries = ("task", "timer", "init", *Replaying.entries)
    wakes = ("timer", "init")
