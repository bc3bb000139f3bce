"""Elements that send and answer management frames: arguments, handlers, and access from C to the elements that arguments name."""

from collections.abc import Mapping

from clickbpf.declare import (
    PUSH, USER, Bool, Companion, Element, ElementRef, Ether, EtherAddress, Keyword, State, Vars, ether, field_handlers,
    u8,
)

from ._extra import EtherLine, FlagLine
from ._info import c_name, info_code, structures

DEBUG = Keyword("DEBUG", Bool(), False, "whether to report frames on standard error. Default is false")
RT = Keyword("RT", ElementRef("AvailableRates"), text="the AvailableRates with the rates of stations. No rate is chosen for a station "
    "without rates there")
ETH = Keyword("ETH", EtherAddress(), Ether(6), "this station's Ethernet address. Default is 00:00:00:00:00:00")


def rates_code(element: Element, table: str | None) -> str:
    """C of SELF(rates)() and SELF(learn)(), which look up and enter a station's rates in an AvailableRates; stubs without one."""
    head, unused = '#include "wifi/rates.h"\n', "static __attribute__((unused)) void "
    if table is None:
        return (
            f"{head}{unused}SELF(rates)(const void *address, struct wifi_rates *rates)\n{{\n\t(void)address;\n\trates->count = 0;\n}}\n"
            f"{unused}SELF(learn)(const void *address, const struct wifi_rates *rates)\n{{\n\t(void)address;\n\t(void)rates;\n}}\n"
        )
    name = c_name(element, table)
    text = head
    for here, there, kind in (("rates", "find", ""), ("learn", "learn", "const ")):
        parameters = f"(const void *address, {kind}struct wifi_rates *rates)"
        text += f"{unused}{name}_{there}{parameters};\n"
        text += f"{unused}SELF({here}){parameters}\n{{\n\t{name}_{there}(address, rates);\n}}\n"
    return text


class Manager(Companion, processing=PUSH, runs=USER):
    """DEBUG, and WIRELESS_INFO and RT for classes that have them."""

    headers = {"wifiinfo.h": structures}
    state_types: Mapping[str, State] = {"vars": Vars(debug=u8)}
    derived = {"declaration": ("const char *", lambda self: f"{self.name} :: {self.class_name()}")}

    def code(self) -> str:
        return info_code(self, getattr(self.cfg, "wireless_info", None)) + rates_code(self, getattr(self.cfg, "rt", None))

    debug = field_handlers("vars", FlagLine())


class Requester(Manager, flow="x/y"):
    """A station that sends requests when a handler is called, and consumes arriving packets."""

    state_types = {"vars": Vars(eth=ether, debug=u8)}

    eth = field_handlers("vars", EtherLine())
