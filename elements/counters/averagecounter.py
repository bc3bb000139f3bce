from clickbpf.declare import ANEW, KEPT, Bool, Element, Held, Integer, Keyword, Optional, PerThread, Vars, read_handler, u64, write_handler

#: The clock's ticks per second: milliseconds.
FREQUENCY = 1000
#: Bytes on the wire that a packet doesn't include: preamble and gap (IEEE 802.3, 4A.2); the frame check sequence.
GAP, CHECK = 20, 4


class AverageCounter(Element):
    """counts packets, and averages their rate over the whole time

    The time runs from the first packet to the latest one. AverageCounterMP and AverageCounterIMP, FastClick's classes for several
    threads, are other names of this class.

    Example: FromDevice(eth0) -> AverageCounter(5) -> Discard;
    """

    same_form = True
    aliases = ("AverageCounterMP", "AverageCounterIMP")
    args = (
        Optional("IGNORE", Integer(), 0, "packets are not counted for this many seconds after the first one; the rate is that of the time "
            "afterwards"),
        Optional("LINK_FCS", Bool(), True, "Boolean. Whether a packet's bytes on the wire, for `link_count` and `link_rate`, include the "
            "frame check sequence"),
        Keyword("MAX", Integer(), 0, "stop counting this many seconds after the first packet. Default is 0, for no end"),
    )
    #: Times are milliseconds of now(), 0 for none. Only the executors write to counters, so a reset stores their values.
    state_types = {
        "counters": PerThread(count=u64, byte_count=u64, last=u64),
        "vars": Vars(first=u64, count_at_reset=u64, byte_count_at_reset=u64),
    }
    holds = (Held("when it began to count", ANEW, KEPT),)

    def _count(self, field: str) -> int:
        return self.state.counters.sum(field) - getattr(self.state.vars, f"{field}_at_reset")

    def _bits_on_link(self) -> int:
        around = GAP + (CHECK if self.cfg.link_fcs else 0)
        return 8 * (self._count("byte_count") + self._count("count") * around)

    def _duration(self) -> int:
        """The time in milliseconds, at least 1."""
        last = max(counters.last for counters in self.state.counters)
        return max(1, last - self.state.vars.first - self.cfg.ignore * FREQUENCY)

    def _rate(self, count: int) -> str:
        return f"{count * FREQUENCY / self._duration():.12g}"

    count = read_handler(lambda self: str(self._count("count")), text="packets counted since the start or the last reset")
    byte_count = read_handler(lambda self: str(self._count("byte_count")), text="their bytes")
    bit_count = read_handler(lambda self: str(8 * self._count("byte_count")), text="their bits")
    link_count = read_handler(lambda self: str(self._bits_on_link()), text="bit times on an Ethernet link, including preamble and gap")
    rate = read_handler(lambda self: self._rate(self._count("count")), text="packets per second")
    byte_rate = read_handler(lambda self: self._rate(self._count("byte_count")), text="bytes per second")
    bit_rate = read_handler(lambda self: self._rate(8 * self._count("byte_count")), text="bits per second")
    link_rate = read_handler(lambda self: self._rate(self._bits_on_link()), text="bits of an Ethernet per second")
    time = read_handler(lambda self: f"{self._duration() / FREQUENCY:.12g}", text="the time, in seconds.")

    @write_handler
    def reset(self, text: str) -> None:
        """starts again: the next packet is the first one."""
        for field in ("count", "byte_count"):
            setattr(self.state.vars, f"{field}_at_reset", self.state.counters.sum(field))
        self.state.vars.first = 0

    reset_now = reset
