"""Elements that send and answer management frames: arguments, handlers, and access from C to the elements that arguments name."""

from collections.abc import Mapping

from clickbpf.declare import (
    PUSH, USER, Bool, Companion, ElementRef, Ether, EtherAddress, Keyword, State, Vars, ether, field_handlers,
    u8,
)

from ._extra import EtherLine, FlagLine
from ._info import structures

DEBUG = Keyword("DEBUG", Bool(), False, "whether to report frames on standard error")
RT = Keyword("RT", ElementRef("AvailableRates"), text="the AvailableRates with the rates of stations. No rate is chosen for a station "
    "without rates there")
ETH = Keyword("ETH", EtherAddress(), Ether(6), "this station's Ethernet address. Default is 00:00:00:00:00:00")


class Manager(Companion, processing=PUSH, runs=USER):
    """DEBUG, and WIRELESS_INFO and RT for classes that have them."""

    headers = {"wifiinfo.h": structures}
    state_types: Mapping[str, State] = {"vars": Vars(debug=u8)}
    derived = {"declaration": ("const char *", lambda self: f"{self.name} :: {self.class_name()}")}

    debug = field_handlers("vars", FlagLine())


class Requester(Manager, flow="x/y"):
    """A station that sends requests when a handler is called, and consumes arriving packets."""

    state_types = {"vars": Vars(eth=ether, debug=u8)}

    eth = field_handlers("vars", EtherLine())
