from __future__ import annotations

from clickbpf.vocabulary.element import Element, sum_handler
from clickbpf.vocabulary.state import PerThread, u64


class DropBroadcasts(Element):
    """drops packets that arrived as link-level broadcasts or multicasts

    Synopsis: `DropBroadcasts`

    Routers don't forward them (RFC 1812, 5.3.4). It uses the packet type annotation, which FromDevice sets.

    Ports: one input; output 0, and push output 1 (may be missing) for the packets that would be dropped.

    Handlers:

      - `drops` (read): packets not let through.

    Example:

        FromDevice(eth0) -> Strip(14) -> CheckIPHeader -> DropBroadcasts -> Discard;
    """

    bears_offloads = True
    keeps_header = True
    ports = "1/1-2"
    processing = "a/ah"
    state_types = {"counters": PerThread(drops=u64)}
    weight = 10

    drops = sum_handler("counters")
