from clickbpf.declare import Bool, Element, Optional, PerThread, sum_handler, u64


class ResetIPChecksum(Element):
    """computes IP header checksums and, if asked, those of TCP and UDP

    A class of FastClick, which leaves the checksums to the sending device; here the element computes them.

    The IP header is the marked one, or else at the packet's start. Packets without a whole header are dropped; the runtime reports
    the first of them on standard error.

    Example: FromDevice(eth0) -> MarkIPHeader(14) -> StoreIPAddress(10.0.0.1, 26) -> ResetIPChecksum(L4 true) -> Discard;
    """

    args = (
        Optional("L4", Bool(), False, "Boolean. If true, the checksum of a TCP or UDP header is computed, too: over the length in the IP "
            "header, which must be marked. Fragments and packets of other protocols keep theirs; packets shorter than that length are "
            "dropped"),
    )
    state_types = {"counters": PerThread(drops=u64)}

    @property
    def weight(self) -> int:  # type: ignore[override]
        return 500 if self.cfg.l4 else 120

    drops = sum_handler("counters", text="packets dropped")
