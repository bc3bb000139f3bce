from enum import IntEnum

from clickbpf.declare import ANEW, BEARS_OFFLOADS, KEPT, Element, Enum, Held, Keyword, Vars, read_handler, reset_handler, s64

from ._time import unparse_timestamp


class Difference(IntEnum):
    """To which time."""

    RANGE, NOW, FIRST = range(3)


class SetTimestampDelta(Element, traits=BEARS_OFFLOADS):
    """replaces packets' timestamps by differences of times

    A packet without a timestamp passes unchanged. Differences may be negative.

    Example: FromDevice(eth0) -> SetTimestampDelta -> Print(TIMESTAMP true) -> Discard;
    """

    annotations = ("TIMESTAMP",)
    args = (
        Keyword("TYPE", Enum(*Difference.__members__), "RANGE", "the difference. RANGE: from the element's first timestamp to the "
            "packet's. NOW: from the packet's timestamp until now. FIRST: from the packet's FIRST_TIMESTAMP annotation to its timestamp"),
    )
    enums = (Difference,)
    state_types = {"vars": Vars(first=s64)}
    holds = (Held("the first time", ANEW, KEPT),)

    @read_handler
    def first(self) -> str:
        """the first packet's timestamp, for RANGE; 0 if none."""
        return f"{unparse_timestamp(self.state.vars.first)}\n"

    reset = reset_handler("vars", "first", text="forgets it.")
