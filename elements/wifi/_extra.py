"""Classes with a DEBUG argument without effect, and the types that handlers of this family use."""

from collections.abc import Mapping

from clickbpf.declare import (
    Bool, Element, Ether, EtherAddress, Integer, Keyword, State, Vars, field_handlers, u8,
)

DEBUG = Keyword("DEBUG", Bool(), False, "Boolean. Without effect")


class Line(Integer):
    """An integer that handlers show with a newline, as Click's wireless elements do."""

    def unparse(self, value: int) -> str:
        return f"{value}\n"


class FlagLine(Bool):
    """A truth value, likewise."""

    def unparse(self, value: bool) -> str:
        return f"{super().unparse(value)}\n"


class EtherLine(EtherAddress):
    """An Ethernet address, likewise."""

    def unparse(self, value: Ether) -> str:
        return f"{value}\n"


class Debugged(Element):
    """DEBUG for classes that report nothing: scripts for Click set and read it."""

    args = (DEBUG,)
    state_types: Mapping[str, State] = {"debugging": Vars(debug=u8)}

    debug = field_handlers("debugging", FlagLine(), text="true or false; without effect")
