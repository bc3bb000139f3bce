from clickbpf.declare import MARKED, PUSH, Anno, ArgError, Integer, Keyword, PerThread, Reconfigurable, sum_handler, u64


class TCPFragmenter(Reconfigurable, processing=PUSH):
    """splits TCP segments that are longer than an MTU

    Packets are TCP in IP, with marked headers, and perhaps other headers in front. A packet longer than the MTU becomes several,
    each with a part of the data and all headers. The IP length, the sequence number (RFC 9293) and both checksums are adjusted, and
    only the last packet keeps the flag FIN. No IP fragments are made. The kernel path hands over packets to split.

    Example:

        FromDevice(eth0) -> MarkIPHeader(14) -> c :: IPClassifier(tcp, -);
        c[0] -> TCPFragmenter(MTU 576) -> out :: Queue -> ToDevice(eth1);
        c[1] -> out;
    """

    takes = (MARKED,)
    args = (
        Keyword("MTU", Integer(16), 0, "bytes of the longest packet, IP header included. MTU or MTU_ANNO must be given, or both"),
        Keyword("MTU_ANNO", Anno(2), text="an annotation of 2 bytes with a packet's own MTU, used if it isn't 0 and is less than MTU"),
    )
    state_types = {"counters": PerThread(count=u64, fragmented_count=u64, fragments=u64)}
    derived = {
        "annotated": ("bool", lambda self: self.cfg.mtu_anno is not None), "mtu_anno": ("__u32", lambda self: self.cfg.mtu_anno or 0),
    }

    def configure(self) -> None:
        if not self.cfg.mtu and self.cfg.mtu_anno is None:
            raise ArgError("At least one of MTU and MTU_ANNO must be set")

    count = sum_handler("counters", text="packets that came")
    fragmented_count = sum_handler("counters", text="packets split")
    fragments = sum_handler("counters", text="packets made from these")
