"""Shares of hosts, known by the first bits of their addresses, in a table of an element (shares.inc.h)."""

from __future__ import annotations

from typing import Any

from clickbpf.args import Integer, Keyword
from clickbpf.vocabulary.state import Private, u32

from ..common._table import TABLE

SHARES_ARGS = (Keyword("HOST_CAPACITY", Integer(32), 0), Keyword("HOST_PREFIX", Integer(low=1, high=128), 64))
#: The state `shares`: the counts, and where the element has last looked for entries whose time is up.
SHARES = Private(table=TABLE, swept=u32)


def share_constants(cfg: Any, hosts: int) -> dict[str, tuple[str, str]]:
    """For `hosts` hosts at most."""
    numbers = {"host_capacity": cfg.host_capacity, "host_prefix": cfg.host_prefix, "shares": hosts}
    return {name: ("__u32", str(number)) for name, number in numbers.items()}
