"""Endpoints that stay what they are, whatever they talk to, and sources that have their share. In C: bindings.h."""

from collections import Counter
from collections.abc import Iterable
from types import SimpleNamespace
from typing import Any

from clickbpf.declare import ArgError, Bool, Enum, Integer, Keyword

from ._flows import address

#: Who may begin a flow from outside, enum nat_filter in C.
FILTERS = ("flow", "address", "any")

INDEPENDENT_ARGS = (
    Keyword("INDEPENDENT", Bool(), False, "whether all flows of one source address and port become the same address and port, whatever "
        "they are to, which no other source gets meanwhile (RFC 4787, REQ-1; the binding information base of RFC 6146). Patterns that have "
        "no address and port in common give a source one each, up to four. Default false, as in Click: two sources may get the same port "
        "for different destinations"),
    Keyword("HOST_CAPACITY", Integer(32), 0, "how many flows one source address may have, so that no host takes all places; more are "
        "refused as if there was no room. The source is who has sent a flow's first packet: on an input by which clients outside reach a "
        "server, each client has a share, since the clients could use up one of the server's for each other. Default 0: any number"),
)
BINDING_ARGS = (
    *INDEPENDENT_ARGS,
    Keyword("FILTER", Enum(*FILTERS), FILTERS[0], "which packets begin flows on an input that is `drop`, to an address and port that a "
        "source has with INDEPENDENT: `flow`, none; `address`, those from addresses that the source has flows to; `any`, all (RFC 4787, "
        "5). Of TCP only packets that open connections do. These flows are as if the source had begun them, once it has answered (a reset "
        "is no answer). Until then such a flow has no guarantee and makes room for any other, ends none but its like, isn't counted for "
        "HOST_CAPACITY, stays for no longer than without packets, and of TCP for 6 seconds at most (RFC 6146, 3.5.2.2). Nobody can begin "
        "one after the last flow of the source's own"),
)


def binding_constants(cfg: SimpleNamespace) -> dict[str, tuple[str, str]]:
    independent, filter_ = getattr(cfg, "independent", False), getattr(cfg, "filter", FILTERS[0])
    return {
        "independent": ("bool", "true" if independent else "false"),
        "host_capacity": ("__u32", str(getattr(cfg, "host_capacity", 0))),
        "filter": ("__u32", str(FILTERS.index(filter_))),
        "admits": ("bool", "true" if filter_ != FILTERS[0] else "false"),
    }


def check_bindings(cfg: SimpleNamespace) -> None:
    if getattr(cfg, "filter", FILTERS[0]) != FILTERS[0] and not cfg.independent:
        raise ArgError("FILTER is about endpoints that are bound", "give INDEPENDENT true as well", argument="FILTER")


def bindings(flows: Iterable[Any]) -> str:
    """A line for each endpoint that has flows: protocol, address and port inside and outside, and how many flows."""
    found = Counter((flow.protocol, flow.saddr[0], flow.sport[0], flow.daddr[1], flow.dport[1]) for flow in flows)
    lines = sorted(
        f"{protocol} {address(inner)} {port} {address(outer)} {mapped} {count}\n"
        for (protocol, inner, port, outer, mapped), count in found.items()
    )
    return "".join(lines)
