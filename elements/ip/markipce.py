from clickbpf.declare import BEARS_OFFLOADS, MARKED, Bool, Element, Optional, PerThread, sum_handler, u64


class MarkIPCE(Element, traits=BEARS_OFFLOADS):
    """marks IP packets as having met congestion

    Sets the ECN field to Congestion Experienced (RFC 3168, section 5) and updates the header's checksum. A packet that isn't
    ECN-capable (the field is 0) is dropped, and so is a packet without a marked IP header.

    Example: one packet out of ten is marked:

        FromDevice(eth0) -> Strip(14) -> CheckIPHeader -> s :: RandomSample(DROP 0.1) -> Discard;
        s[1] -> MarkIPCE -> Discard;
    """

    takes = (MARKED,)
    args = (Optional("FORCE", Bool(), False, "true to mark packets that aren't ECN-capable as well"),)
    state_types = {"counters": PerThread(drops=u64)}

    drops = sum_handler("counters", text="packets dropped because they were not capable of ECN")
