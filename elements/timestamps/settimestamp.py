from clickbpf.declare import BEARS_OFFLOADS, CARRIED, ArgError, Bool, Element, Keyword, Optional, Time


class SetTimestamp(Element, traits=BEARS_OFFLOADS):
    """sets packets' timestamp

    The timestamp of packets from devices is the time of their arrival. In the kernel path the time of day is CLOCK_TAI minus the
    TAI offset that Linux had when the router was loaded.

    Example: how long do packets wait in the queue?

        FromDevice(eth0) -> SetTimestamp -> Queue -> SetTimestampDelta(TYPE NOW) -> Print(TIMESTAMP true) -> ToDevice(eth1);
    """

    same_form = True
    args = (
        Optional("TIMESTAMP", Time(), text="the time, in seconds since 1970. Default: the current time"),
        Keyword("FIRST", Bool(), False, "true to set the annotation FIRST_TIMESTAMP instead of the timestamp"),
        Keyword("DELTA", Bool(), False),
    )
    derived = {"fixed": ("bool", lambda self: self.fixed)}

    def configure(self) -> None:
        if self.cfg.delta:
            raise ArgError("SetTimestamp(DELTA) is deprecated, use SetTimestampDelta(TYPE FIRST)", argument="DELTA")
        self.fixed = self.cfg.timestamp is not None
        self.cfg.timestamp = self.cfg.timestamp or 0

    def annotations_written(self) -> tuple[tuple[int, int], ...]:
        return (CARRIED["FIRST_TIMESTAMP" if self.cfg.first else "TIMESTAMP"],)
