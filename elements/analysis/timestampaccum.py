from clickbpf.declare import BEARS_OFFLOADS, Element, PerThread, read_handler, reset_handler, s64, sum_handler, u64

NS_PER_SECOND = 10**9


class TimestampAccum(Element, traits=BEARS_OFFLOADS):
    """adds up the time that has passed since packets' timestamps

    Example:

        FromDevice(eth0) -> SetTimestamp -> Queue -> Unqueue -> t :: TimestampAccum -> Discard;
    """

    annotations = ("TIMESTAMP",)
    state_types = {"counters": PerThread(count=u64, time=s64)}

    count = sum_handler("counters", text="packets that have passed")

    @read_handler
    def time(self) -> str:
        """seconds since their timestamps, all together."""
        return f"{self.state.counters.sum('time') / NS_PER_SECOND:.12g}"

    @read_handler
    def average_time(self) -> str:
        """the same for one packet."""
        count = self.state.counters.sum("count")
        return f"{self.state.counters.sum('time') / count / NS_PER_SECOND:.12g}" if count else "0"

    reset_counts = reset_handler("counters", text="sets both to 0.")
