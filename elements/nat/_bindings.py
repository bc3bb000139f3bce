"""Endpoints that stay what they are, whatever they talk to, and sources that have their share. In C: bindings.h."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from types import SimpleNamespace
from typing import Any

from clickbpf.args import ArgError, Bool, Enum, Integer, Keyword

from ._flows import address

#: Who may begin a flow from outside, enum nat_filter in C.
FILTERS = ("flow", "address", "any")

INDEPENDENT_ARGS = (Keyword("INDEPENDENT", Bool(), False), Keyword("HOST_CAPACITY", Integer(32), 0))
BINDING_ARGS = (*INDEPENDENT_ARGS, Keyword("FILTER", Enum(*FILTERS), FILTERS[0]))


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
