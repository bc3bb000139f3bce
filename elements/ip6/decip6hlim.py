"""DecIP6HLIM: one hop less to live."""

from __future__ import annotations

from clickbpf.vocabulary.element import Element, read_handler
from clickbpf.vocabulary.state import PerThread, u64


class DecIP6HLIM(Element):
    """decrements the hop limit of IPv6 packets

    Synopsis: `DecIP6HLIM`

    A packet with a hop limit of 0 or 1 leaves unchanged by output 1, or is dropped if that is not there: usually an ICMP6Error
    that says so to its sender. Of all others the hop limit is decremented; no checksum has it. The packet's IPv6 header has
    to be marked (CheckIP6Header, MarkIP6Header); a packet without one is dropped.

    Ports: one input; output 0, and push output 1 (may be missing) for packets whose hops are used up.

    Handlers:

      - `drops` (read): how many packets' hops were used up.

    Example:

        FromDevice(eth0) -> Strip(14) -> CheckIP6Header -> hops :: DecIP6HLIM -> Discard;
        hops[1] -> Discard;
    """

    bears_offloads = True
    ports = "1/1-2"
    processing = "a/ah"
    state_types = {"counters": PerThread(expired=u64)}
    weight = 40

    @read_handler
    def drops(self) -> str:
        return str(self.state.counters.sum("expired"))
