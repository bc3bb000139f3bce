"""Token buckets of the hosts that messages go to, as hosts.inc.h keeps them: nobody takes all that an element may send."""

from types import SimpleNamespace

from clickbpf.declare import DirectArray, Vars, u64

from ._bucket import assign

#: Buckets, as in C. Hosts share them at random, so that somebody who sends from k addresses takes k of them.
BUCKETS = 1 << 10

HOSTS = {"hosts": DirectArray(BUCKETS, level=u64), "secret": Vars(key=u64 * 2)}


def constants(rate: int) -> dict[str, tuple[str, str]]:
    """C's constants of buckets with `rate` tokens a second, and at the most."""
    bucket = SimpleNamespace()
    assign(bucket, rate, rate)
    return {"host_scale": ("__u32", str(bucket.scale)), "host_per_tick": ("__u32", str(bucket.per_tick))}
