"""A token bucket for each destination host (hosts.inc.h), so that one host can't use up an element's whole rate."""

from types import SimpleNamespace

from clickbpf.declare import DirectArray, Vars, u64

from ._bucket import assign

#: Number of buckets, as in C. Hosts are hashed to them, so a sender with k addresses gets k buckets at most.
BUCKETS = 1 << 10

HOSTS = {"hosts": DirectArray(BUCKETS, level=u64), "secret": Vars(key=u64 * 2)}


def constants(rate: int) -> dict[str, tuple[str, str]]:
    """C constants for buckets with `rate` tokens a second, and as capacity."""
    bucket = SimpleNamespace()
    assign(bucket, rate, rate)
    return {"host_scale": ("__u32", str(bucket.scale)), "host_per_tick": ("__u32", str(bucket.per_tick))}
