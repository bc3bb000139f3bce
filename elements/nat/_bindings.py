"""Arguments for endpoint-independent mappings, and for limits of each source. In C: bindings.h."""

from collections import Counter
from collections.abc import Iterable
from types import SimpleNamespace
from typing import Any

from clickbpf.declare import ArgError, Bool, Enum, Integer, Keyword

from ._flows import address

#: Which peers may begin a flow from outside; enum nat_filter in C.
FILTERS = ("flow", "address", "any")

INDEPENDENT_ARGS = (
    Keyword("INDEPENDENT", Bool(), False, "whether all flows of one source address and port get the same address and port, whatever their "
        "destination, which no other source gets meanwhile (RFC 4787, REQ-1; the binding information base of RFC 6146). Patterns without "
        "a common address and port give a source one each, up to four. Default false, as in Click: two sources may get the same port for "
        "different destinations"),
    Keyword("HOST_CAPACITY", Integer(32), 0, "how many flows one source address may have, so that no host uses up the table; further ones "
        "are refused as if there was no room. The source is the sender of a flow's first packet: on an input for clients outside that "
        "reach a server, each client has its own limit, since clients could use up a limit of the server's. Default 0: no limit"),
)
BINDING_ARGS = (
    *INDEPENDENT_ARGS,
    Keyword("FILTER", Enum(*FILTERS), FILTERS[0], "which packets may begin flows on a `drop` input, to the address and port that a source "
        "has by INDEPENDENT: `flow`, none; `address`, packets from addresses that the source has flows to; `any`, all (RFC 4787, 5). For "
        "TCP, only packets that open a connection. Once the source has answered (a reset is no answer), the flow is as if the source had "
        "begun it. Until then it has no guarantee, makes room for any other flow, replaces only flows of its kind, isn't counted for "
        "HOST_CAPACITY, and isn't prolonged by packets; a TCP flow stays for at most 6 seconds (RFC 6146, 3.5.2.2). When the source's own "
        "last flow has ended, no more such flows begin"),
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
