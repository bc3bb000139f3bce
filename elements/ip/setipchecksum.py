from clickbpf.declare import Element, PerThread, sum_handler, u64


class SetIPChecksum(Element):
    """computes IP header checksums

    Use it after elements that write headers without updating checksums, such as StoreData. Elements that change fields of IP
    headers, like DecIPTTL and SetIPDSCP, update the checksum themselves.

    The header is the marked one, or else the packet's beginning. Packets without a complete header are dropped; the runtime reports
    the first of them on standard error.

    Example: FromDevice(eth0) -> Strip(14) -> MarkIPHeader -> StoreData(8, \\<40>) -> SetIPChecksum -> Discard;
    """

    same_form = True
    state_types = {"counters": PerThread(drops=u64)}
    weight = 120

    drops = sum_handler("counters", text="packets dropped")
