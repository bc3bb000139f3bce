"""IP6Fragmenter: packets that are too long for the next link."""

from __future__ import annotations

from clickbpf.args import Bool, Integer, Keyword, Required
from clickbpf.vocabulary.element import PUSH, Element, read_handler
from clickbpf.vocabulary.state import PerThread, u64


class IP6Fragmenter(Element):
    """finds IPv6 packets that are longer than an MTU, or splits them

    Synopsis: `IP6Fragmenter(MTU, [SPLIT ..., HEADROOM ...])`

    A packet of at most MTU bytes from its IPv6 header on leaves unchanged by output 0. A longer one leaves unchanged by output
    1, or is dropped if that is not there: a router splits no packets, but reports the MTU to their senders (RFC 8200, 5).
    (Click's, whose manual page promises fragments, loses longer packets.)

    With SPLIT, for the host that sends them or for a tunnel's own headers, they are split into fragments, which leave by output
    0 in order (RFC 8200, 4.5). All have the headers up to the last one for routers on the way, hop-by-hop options and routing,
    then the fragment header; the others are data of the fragments. What is a fragment already, has more extension headers than
    are gone through, or leaves no room for data, can't be split and leaves by output 1.

    All fragments get the annotations, but only the first gets the bytes before the IPv6 header: Strip link headers before. The
    header has to be marked (CheckIP6Header, MarkIP6Header), and the packet trimmed to its length; a packet without it, or shorter
    than it says, is dropped. The kernel path does all but splitting.

    Arguments:

      - MTU: bytes of the longest packet. Links have 1280 at least (RFC 8200, 5).
      - SPLIT: whether to split packets. Default false.
      - HEADROOM: bytes left free in front of all fragments but the first. Default 28.

    Ports: one push input; output 0, and output 1 (may be missing) for packets that are too long.

    Handlers:

      - `drops` (read): how many packets were too long.
      - `fragments` (read): how many fragments were made.

    Example:

        FromDevice(eth0) -> Strip(14) -> CheckIP6Header -> fr :: IP6Fragmenter(1400) -> Discard;
        fr[1] -> ICMP6Error(2001:db8::1, packettoobig, PMTU 1400) -> Discard;
    """

    ports = "1/1-2"
    processing = PUSH
    args = (
        Required("MTU", Integer(high=(1 << 31) - 1)),
        Keyword("SPLIT", Bool(), False),
        Keyword("HEADROOM", Integer(high=4096), 28),
    )
    state_types = {"counters": PerThread(drops=u64, fragments=u64)}
    weight = 30

    @read_handler
    def drops(self) -> str:
        return str(self.state.counters.sum("drops"))

    @read_handler
    def fragments(self) -> str:
        return str(self.state.counters.sum("fragments"))
