"""A table of flows with a number for each, filled by the kernel path itself (flowmemory.inc.h)."""

from clickbpf.declare import ANEW, KEPT, Array, Element, Held, Integer, Keyword, PerThread, Time, sum_handler, u64

from ..tables._buckets import bucket_count

#: Words of a bucket, as in C; the unit of time is 2^TICK ns.
WAYS, TICK = 8, 30
SECOND = 10**9
FLOWS = (
    Keyword("CAPACITY", Integer(32, low=1, high=1 << 22), 1 << 16, "how many flows to remember, up to 4194304, in eight bytes each"),
    Keyword("TIMEOUT", Time(digits=0, low=SECOND, high=12 * 3600 * SECOND), 60 * SECOND, "the time without packets after which a flow is "
        "over, to about a second. Default is 60 s"),
)  # fmt: skip
FLOW_STATE = {
    "flows": Array(lambda element: bucket_count(element.cfg.capacity, WAYS), word=u64 * WAYS),
    "counters": PerThread(begun=u64, evicted=u64),
}
FLOW_HOLDS = Held("flows", ANEW, KEPT)
#: The common part of manual pages.
MANUAL = """A flow's packets have the same addresses, protocol and ports; fragments count as packets without ports. The opposite
    direction is another flow. Memory is bounded: a keyed hash assigns a flow to one of CAPACITY / 8 buckets, and in a full bucket
    the flow without packets for the longest time makes room."""


class FlowMemory(Element):
    """Base of classes with such a table: constants and handlers."""

    same_form = True

    def flow_constants(self) -> dict[str, tuple[str, str]]:
        return {
            "buckets": ("__u32", str(bucket_count(self.cfg.capacity, WAYS))),
            "life": ("__u32", str((self.cfg.timeout >> TICK) + 1)),
        }

    evicted = sum_handler("counters", text="how many flows have made room for others")
