from __future__ import annotations

from clickbpf.args import Bool, Keyword
from clickbpf.vocabulary.element import Element, field_handlers, sum_handler
from clickbpf.vocabulary.forms import MARKED
from clickbpf.vocabulary.state import SETTINGS, PerThread, Vars, u8, u64


class DecIPTTL(Element):
    """decrements the IP time-to-live

    Synopsis: `DecIPTTL([ACTIVE ..., MULTICAST ...])`

    A packet with a TTL of 0 or 1 leaves unchanged by output 1, or is dropped if that is not there: usually an ICMPError
    that says so to its sender. Of all others the TTL is decremented and the header's checksum updated for it (RFC 1624),
    so that a wrong checksum stays wrong.

    The packet's IP header has to be marked (CheckIPHeader, MarkIPHeader); a packet without one is dropped.

    Arguments:

      - ACTIVE: false to let all packets pass unchanged. Default true.
      - MULTICAST: false to let packets to multicast groups pass unchanged. Default true.

    Ports: one input; output 0, and push output 1 (may be missing) for packets whose time is up.

    Handlers:

      - `drops` (read): how many packets' time was up.
      - `active` (read, write): ACTIVE.

    Example:

        FromDevice(eth0) -> Strip(14) -> CheckIPHeader -> ttl :: DecIPTTL -> Discard;
        ttl[1] -> ICMPError(10.0.0.1, timeexceeded) -> Discard;
    """

    takes = (MARKED,)
    bears_offloads = True
    keeps_header = True
    ports = "1/1-2"
    processing = "a/ah"
    args = (Keyword("ACTIVE", Bool(), True), Keyword("MULTICAST", Bool(), True))
    state_types = {"counters": PerThread(expired=u64), "vars": Vars(active=u8), "settings": SETTINGS}
    weight = 50

    drops = sum_handler("counters", "expired")

    active = field_handlers("vars", Bool())
