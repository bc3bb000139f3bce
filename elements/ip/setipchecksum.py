from clickbpf.declare import Element, PerThread, sum_handler, u64


class SetIPChecksum(Element):
    """computes IP header checksums

    It is for packets whose header was written by elements that don't update checksums, such as StoreData. Those
    that change fields of IP headers, like DecIPTTL and SetIPDSCP, update it themselves.

    The header is the marked one, or else begins with the packet. Packets that don't have all of it are dropped; the runtime
    reports the first of them on standard error.

    Example:

        FromDevice(eth0) -> Strip(14) -> MarkIPHeader -> StoreData(8, \\<40>) -> SetIPChecksum -> Discard;
    """

    state_types = {"counters": PerThread(drops=u64)}
    weight = 120

    drops = sum_handler("counters", text="packets dropped")
