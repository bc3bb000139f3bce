"""UDPRewriter: NAPT without a look at what TCP says."""

from __future__ import annotations

from clickbpf.args import Keyword

from ._rewriter import ANNO_ARGS, CAPACITY_ARGS, SECONDS, SPEC_ARGS, Rewriter
from ._tables import TableHandlers
from ._timeouts import PLAIN_ARGS, UDP_ARGS, plain_times


class UDPRewriter(TableHandlers, Rewriter):
    """translates addresses and ports of UDP, TCP and DCCP packets, flow by flow

    Synopsis: `UDPRewriter(INPUTSPEC, ..., [keywords])`

    A flow begins with a packet that no flow is known for: the input's INPUTSPEC says what its packets become. From then on all
    packets with the same addresses and ports are rewritten alike, and the replies are rewritten back, whichever input
    they come by. Later fragments and packets of other protocols are dropped, except on a `pass` input. Protocols are
    not told apart: a flow that began with UDP is one of TCP with the same ports too. IPRewriter tells them apart.

    When there are as many flows as MAPPING_CAPACITY, a new one takes the place of the one whose time is over first; but not
    of a flow that had a packet within the time of its guarantee. If there are only such, the new one is refused, its packet
    dropped, and counted as a failure.

    The kernel path rewrites the packets of flows that it finds in the table. A flow's first packet, and those that tell
    something new of it, are the runtime's. Flows outlive the runtime.

    Arguments:

      - INPUTSPEC: what becomes of packets of an input that no flow is known for, one for each input.
        `drop` (or `discard`): they are dropped. `pass [OUTPUT]` (or `passthrough`, `nochange`): they leave unchanged, and no
        flow begins; so do packets that the element doesn't rewrite, which other inputs drop.
        `keep FOUTPUT ROUTPUT`: a flow begins, whose packets stay as they are; they leave by FOUTPUT, the replies by ROUTPUT.
        `pattern PATTERN FOUTPUT ROUTPUT`: a flow begins whose packets become what the pattern says.
        `ELEMENT`: a mapper chooses, such as RoundRobinIPMapper.
      - PATTERN: `SADDR SPORT DADDR DPORT`, where `-` leaves a field as it is, or a name that IPRewriterPatterns defines.
        SPORT may be a range `LOW-HIGH`; then no two flows that have the same peer get the same port. The packet's own port
        is preferred, then one is chosen at random; with `LOW-HIGH?` always at random, with `LOW-HIGH#` in order. Without a
        free port the packet is dropped.
      - TIMEOUT (or UDP_TIMEOUT): how long flows stay without packets. Default 5 minutes.
      - STREAMING_TIMEOUT (or UDP_STREAMING_TIMEOUT): the same after three packets, with a reply among them. Default TIMEOUT.
      - GUARANTEE (or UDP_GUARANTEE): how long a flow stays for sure after a packet. Default 5 seconds.
      - MAPPING_CAPACITY (or CAPACITY): how many flows there may be, at most 4194304, or another rewriter, with which this
        one then shares its capacity. Default 65536. Each has 64 bytes, and 32 to 64 in an index.
      - REAP_INTERVAL (or REAP_TIME): how often flows are removed whose time is over; 0 for never. Default 15 minutes. Until
        then a packet may bring them back.
      - DST_ANNO: whether the destination annotation becomes the new destination address. Default true.
      - REPLY_ANNO: an annotation of one byte. Replies get the value that the flow's first packet had.

    Ports: a push input for each INPUTSPEC; push outputs. IP header annotations have to be set.

    Handlers:

      - `table` (read): a line for each direction of a flow: what packets have and get, both outputs, this
        direction's starred, the input that made it, and the seconds until its time is over. `mappings` is an older name.
      - `table_size` (read): how many flows there are; `nmappings` is the same.
      - `mapping_failures` (read): packets that were refused a flow: no free port or address, or no room.
      - `patterns` (read): a line for each input, with the number of flows it has made; `pattern0`, `pattern1`, ... (read,
        write) for one. What is written is an INPUTSPEC; the flows that the input has made end.
      - `size`, `capacity` (read): flows there are and may be, of all rewriters that share the capacity. `capacity` can be
        written, up to what was configured.
      - `clear` (write): all flows end.

    Example: a gateway that hides a network behind 192.0.2.1:

        nat :: UDPRewriter(pattern 192.0.2.1 1024-65535# - - 0 1, drop);
        FromDevice(inside) -> Strip(14) -> CheckIPHeader -> [0] nat;
        FromDevice(outside) -> Strip(14) -> CheckIPHeader -> [1] nat;
        nat[0] -> EtherEncap(0x0800, 02:00:00:00:00:01, 02:00:00:00:00:02) -> Queue -> ToDevice(outside);
        nat[1] -> EtherEncap(0x0800, 02:00:00:00:00:03, 02:00:00:00:00:04) -> Queue -> ToDevice(inside);
    """

    args = (*SPEC_ARGS, *PLAIN_ARGS, *UDP_ARGS, Keyword("STREAMING_TIMEOUT", SECONDS), *CAPACITY_ARGS, *ANNO_ARGS)

    def timeouts(self) -> dict[str, int]:
        streaming = ("streaming_timeout", "udp_streaming_timeout")
        return plain_times(self.cfg, ("timeout", "udp_timeout"), streaming, ("guarantee", "udp_guarantee"))
