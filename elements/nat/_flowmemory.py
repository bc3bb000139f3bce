"""A memory of flows with a number for each, which the kernel path fills by itself (flowmemory.inc.h)."""

from clickbpf.declare import ANEW, KEPT, Array, Element, Held, Integer, Keyword, PerThread, Time, sum_handler, u64

from ..tables._buckets import bucket_count

#: Words of a bucket, as in C; the unit of time is 2^TICK ns.
WAYS, TICK = 8, 30
SECOND = 10**9
FLOWS = (
    Keyword("CAPACITY", Integer(32, low=1, high=1 << 22), 1 << 16, "how many flows to remember, up to 4194304, in eight bytes each. "
        "Default is 65536"),
    Keyword("TIMEOUT", Time(digits=0, low=SECOND, high=12 * 3600 * SECOND), 60 * SECOND, "a flow that is silent for longer, to a second or "
        "so, is over. Default is 60 s"),
)  # fmt: skip
FLOW_STATE = {
    "flows": Array(lambda element: bucket_count(element.cfg.capacity, WAYS), word=u64 * WAYS),
    "counters": PerThread(begun=u64, evicted=u64),
}
FLOW_HOLDS = Held("flows", ANEW, KEPT)
#: What the manual pages say of it.
MANUAL = """A flow's packets have the same addresses, protocol and ports; fragments have no ports here. What comes in the other
    direction is another flow. Memory is bounded: a flow has a place in one of CAPACITY / 8 buckets, by a hash with a key, and where its
    bucket is full, the flow there that has been silent for longest makes room."""


class FlowMemory(Element):
    """Base of those that have one: constants and handlers."""

    def flow_constants(self) -> dict[str, tuple[str, str]]:
        return {
            "buckets": ("__u32", str(bucket_count(self.cfg.capacity, WAYS))),
            "life": ("__u32", str((self.cfg.timeout >> TICK) + 1)),
        }

    evicted = sum_handler("counters", text="how many flows have made room for others")
