from clickbpf.declare import BEARS_OFFLOADS, Element, PerThread, read_handler, reset_handler, s64, sum_handler, u64

NS_PER_SECOND = 10**9


class TimestampAccum(Element, traits=BEARS_OFFLOADS):
    """adds up the time that has passed since packets' timestamps

    Example: FromDevice(eth0) -> SetTimestamp -> Queue -> Unqueue -> t :: TimestampAccum -> Discard;
    """

    annotations = ("TIMESTAMP",)
    state_types = {"counters": PerThread(count=u64, high=s64, low=u64)}

    count = sum_handler("counters", text="packets that have passed")

    @read_handler
    def time(self) -> str:
        """seconds since their timestamps, all together."""
        return f"{self._nanoseconds() / NS_PER_SECOND:.12g}"

    @read_handler
    def average_time(self) -> str:
        """the same for one packet."""
        count = self.state.counters.sum("count")
        return f"{self._nanoseconds() / count / NS_PER_SECOND:.12g}" if count else "0"

    def _nanoseconds(self) -> int:
        return (self.state.counters.sum("high") << 32) + self.state.counters.sum("low")

    reset_counts = reset_handler("counters", text="sets both to 0.")
