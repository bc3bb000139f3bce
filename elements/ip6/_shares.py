"""Shares of hosts, known by the first bits of their addresses, in a table of an element (shares.inc.h)."""

from typing import Any

from clickbpf.declare import Integer, Keyword, Private, u32

from ..common._table import TABLE

SHARES_ARGS = (
    Keyword("HOST_CAPACITY", Integer(32), 0, "how many mappings of the pool one host may have, so that it can't take all of them; more are "
        "refused as if the pool was used up. Default 0: any number"),
    Keyword("HOST_PREFIX", Integer(low=1, high=128), 64, "a host is known by this number of its address's first bits. Default 64: each "
        "host, or each link, has a prefix of its own (RFC 8273). Hosts that choose their addresses themselves within one prefix can't be "
        "told from each other by addresses: where they share a link, the pool has to be large enough for all, or 128 bounds what each "
        "address has of DYNAMIC_PORTS"),
)
#: The state `shares`: the counts, and where the element has last looked for entries whose time is up.
SHARES = Private(table=TABLE, swept=u32)


def share_constants(cfg: Any, hosts: int) -> dict[str, tuple[str, str]]:
    """For `hosts` hosts at most."""
    numbers = {"host_capacity": cfg.host_capacity, "host_prefix": cfg.host_prefix, "shares": hosts}
    return {name: ("__u32", str(number)) for name, number in numbers.items()}
