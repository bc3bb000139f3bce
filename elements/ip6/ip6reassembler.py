import ctypes

from clickbpf.declare import KEPT, LOST, PUSH, Element, Held, Integer, Keyword, Private, Self, sum_handler, u64


class IP6Reassembler(Element, ports="1/1-2", processing=PUSH):
    """puts IPv6 packets together from their fragments

    Packets that are not fragments pass; the kernel path hands fragments over. Fragments are kept until their packet is complete
    (RFC 8200, 4.5), which then leaves by output 0 without a fragment header, with the headers, annotations, bytes before the
    header, and timestamp of its first fragment. A fragment that is a whole packet passes at once (RFC 6946).

    When fragments overlap, or don't agree where the packet ends, all of the packet's fragments so far are dropped (RFC 5722); a
    duplicate of an earlier fragment is dropped by itself. A packet that isn't complete 60 seconds after its first fragment
    arrived is given up: the fragment with its beginning leaves by output 1, for an error, if that fragment has arrived and there
    is an output 1. When fragments need more memory than HIMEM, the packets that began first are given up, and nothing leaves by
    output 1.

    Malformed fragments are dropped: shorter than their headers say, with a length that is not a multiple of 8 although more
    fragments follow, beyond the longest packet, or first fragments without all extension headers (RFC 7112). Fragments with more
    extension headers than are examined (CheckIP6Header) pass.

    Click has no such element; it is to IPv6 what IPReassembler is to IPv4.

    Example: incomplete packets are reported to their sender (RFC 4443, 3.3):

        FromDevice(eth0) -> Strip(14) -> CheckIP6Header -> whole :: IP6Reassembler -> Discard;
        whole[1] -> ICMP6Error(2001:db8::1, timeexceeded, 1) -> Discard;
    """

    #: They move fragments to another element; TAKE returns how many.
    operations = ("WHERE", "TAKE")
    args = (
        Keyword("HIMEM", Integer(low=1 << 17, high=1 << 30), 256 * 1024, "bytes that fragments may use, of which each uses 256 more than "
            "its length. Default 256k, 262144"),
    )
    state_types = {"table": Private(seen=u64, good=u64, failed=u64, bad=u64, waiting=u64)}
    holds = (Held("fragments", KEPT, LOST),)

    def take_state(self, before: Self) -> None:
        """Take the fragments: the rest of their packets arrives at this router."""
        partials = (ctypes.c_void_p * 1)()
        before.runtime.control("WHERE", partials)
        self.runtime.adopt_packets(before, self.runtime.control("TAKE", partials))

    seen = sum_handler("table", text="fragments that arrived")
    good = sum_handler("table", text="packets that were reassembled")
    failed = sum_handler("table", text="packets that were given up")
    bad = sum_handler("table", text="malformed ones")
    waiting = sum_handler("table", text="packets that are waiting for fragments")
