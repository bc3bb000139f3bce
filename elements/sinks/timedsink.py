from clickbpf.declare import ANEW, USER, Element, Held, Optional, Private, read_handler, u64, unparse_time, write_handler

from ..sources.timedsource import HALF_A_SECOND, INTERVAL, parse_interval


class TimedSink(Element, ports="1/0", processing="l", runs=USER):
    """pulls and drops packets at regular intervals

    Pulls one packet each INTERVAL, if there is one, and drops it.

    Example:

        FromDevice(eth0) -> Queue -> TimedSink(100ms);
    """

    entries = ("init", "timer")
    args = (Optional("INTERVAL", INTERVAL, HALF_A_SECOND, "a time, in seconds where no unit is given"),)
    state_types = {"sink": Private(interval=u64, due=u64)}
    holds = (Held("when it pulls next", ANEW, ANEW),)

    def initialise(self) -> None:
        self.state.sink.interval = self.cfg.interval

    @read_handler("interval")
    def read_interval(self) -> str:
        """INTERVAL, valid after the next packet."""
        return unparse_time(self.state.sink.interval)

    @write_handler("interval")
    def write_interval(self, text: str) -> None:
        self.state.sink.interval = parse_interval(text)
