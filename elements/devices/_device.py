"""Common parts of device elements: arguments of Click's Linux driver about devices that come and go, and handlers for counts."""

import re
from types import SimpleNamespace

from clickbpf.declare import ETHERNET, ArgError, Bool, Element, Keyword, PerThread, Raw, read_handler, reset_handler, sum_handler, u64

#: Refused, since a router's devices must exist when it is loaded.
COMING_AND_GOING = (
    Keyword("ALLOW_NONEXISTENT", Bool(), False),
    Keyword("UP_CALL", Raw()),
    Keyword("DOWN_CALL", Raw()),
)


#: Usual names of Ethernet devices. Packets of others, such as tunnels, may begin with IP.
_ETHERNET = re.compile(r"(eth|en[opsx]|em|veth|tap|br|bond|lan|wan)[\w.]*\d")


def begins(devname: str) -> str | None:
    """The header that a device's packets begin with, judging by its name (forms.py)."""
    return ETHERNET if _ETHERNET.fullmatch(devname) else None


def refuse_coming_and_going(cfg: SimpleNamespace) -> None:
    """ArgError if one of these arguments is in use."""
    for argument in COMING_AND_GOING:
        if getattr(cfg, argument.name.lower()):
            raise ArgError(f"{argument.name} isn't supported", argument=argument.name)


class CountedDevice(Element):
    """An element that takes and counts the packets of device DEVNAME."""

    state_types = {"counters": PerThread(count=u64)}
    count = sum_handler("counters", text="packets of the device")
    dev_name = read_handler(lambda self: self.cfg.devname, text="the device")
    reset_counts = reset_handler("counters", text="sets the counts to 0.")
