"""Hosts' shares of an element's table; a host is identified by the first bits of its address (shares.inc.h)."""

from typing import Any

from clickbpf.declare import Integer, Keyword, Private, u32

from ..common._table import TABLE

SHARES_ARGS = (
    Keyword("HOST_CAPACITY", Integer(32), 0, "how many mappings of the pool one host may have, so that it can't take all of them; further "
        "ones are refused as if the pool was used up. Default 0: no limit"),
    Keyword("HOST_PREFIX", Integer(low=1, high=128), 64, "the number of first bits of an address that identify a host. Default 64: each "
        "host, or each link, has its own prefix (RFC 8273). Hosts that choose their addresses within a common prefix can't be "
        "distinguished by address: if they share a link, make the pool large enough for all; with 128, DYNAMIC_PORTS of each address are "
        "limited"),
)
#: The state `shares`: the counts, and where the last search for expired entries has ended.
SHARES = Private(table=TABLE, swept=u32)


def share_constants(cfg: Any, hosts: int) -> dict[str, tuple[str, str]]:
    """For `hosts` hosts at most."""
    numbers = {"host_capacity": cfg.host_capacity, "host_prefix": cfg.host_prefix, "shares": hosts}
    return {name: ("__u32", str(number)) for name, number in numbers.items()}
