from clickbpf.declare import BEARS_OFFLOADS, CARRIED, Bool, Element, Keyword, Optional

from ._time import SPAN


class AdjustTimestamp(Element, traits=BEARS_OFFLOADS):
    """adds to packets' timestamp

    Synopsis: `AdjustTimestamp(TIME, [FIRST ..., ALL ...])`

    Example: FromDevice(eth0) -> AdjustTimestamp(-1h) -> Print(TIMESTAMP true) -> Discard;
    """

    args = (
        Optional("TIME", SPAN, 0, "what to add, in seconds or with a unit (`-20ms`). Default 0", setting="vars"),
        Keyword("FIRST", Bool(), False, "true to change the annotation FIRST_TIMESTAMP instead of the timestamp"),
        Keyword("ALL", Bool(), False, "true to also change timestamps of 0, which stands for none"),
    )

    def annotations_written(self) -> tuple[tuple[int, int], ...]:
        return (CARRIED["FIRST_TIMESTAMP" if self.cfg.first else "TIMESTAMP"],)
