from clickbpf.declare import ANEW, USER, Bool, Element, Held, Keyword, Vars, read_handler, reset_handler, s64

from ..timestamps._time import unparse_timestamp


class TimeRange(Element, runs=USER):
    """reports the earliest and the latest timestamp of the packets that pass

    Example:

        FromDump(trace.pcap, STOP true) -> t :: TimeRange -> Discard;
        DriverManager(pause, print t.interval);
    """

    args = (Keyword("SIMPLE", Bool(), False, "Boolean. Timestamps never go back, so the latest one is the last"),)
    state_types = {"vars": Vars(first=s64, last=s64)}
    holds = (Held("the first and the last time", ANEW, ANEW),)

    first = read_handler(
        lambda self: f"{unparse_timestamp(self.state.vars.first)}\n", text="the earliest timestamp, 0.000000 if no packet has passed"
    )
    last = read_handler(lambda self: f"{unparse_timestamp(self.state.vars.last)}\n", text="the latest timestamp")

    @read_handler("range")
    def both(self) -> str:
        """both."""
        return f"{unparse_timestamp(self.state.vars.first)} {unparse_timestamp(self.state.vars.last)}"

    @read_handler
    def interval(self) -> str:
        """the time between them, in seconds."""
        return unparse_timestamp(self.state.vars.last - self.state.vars.first)

    reset = reset_handler("vars", "first", "last", text="forgets them.")
