"""For tests of the harness: elements that give packets up, at the right moment and too late."""

from clickbpf.declare import Element, Enum, PerThread, Required, sum_handler, u64


class Punts(Element):
    """leaves IPv4 packets with a TTL of 7 to user space, after it has done what WHAT says"""

    args = (Required("WHAT", Enum(NOTHING=0, BYTE=1, COUNT=2, PULL=3, PAINT=4)),)
    annotations = ("PAINT",)
    state_types = {"counters": PerThread(count=u64)}

    count = sum_handler("counters")
