"""For tests of the harness: an element that breaks the promise that both executors do the same."""

from clickbpf.declare import Element, Enum, PerThread, Required, sum_handler, u64


class Differs(Element):
    """does to IPv4 packets with a TTL of 7 something that depends on where it runs: what WHAT says"""

    ports = "1/1-2"
    args = (Required("WHAT", Enum(BYTE=0, PORT=1, PAINT=2, HEADER=3, COUNT=4, DROP=5, REASON=6, NOTHING=7, AGE=8)),)
    annotations = ("PAINT",)
    state_types = {"counters": PerThread(count=u64, last=u64)}

    count = sum_handler("counters")
