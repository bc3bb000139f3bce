"""What elements of devices have in common: arguments of Click's Linux driver about devices that come and go, and the handlers of those
that only count packets."""

import re
from types import SimpleNamespace

from clickbpf.declare import ETHERNET, ArgError, Bool, Element, Keyword, PerThread, Raw, read_handler, reset_handler, sum_handler, u64

#: A router's devices are there when it is loaded.
COMING_AND_GOING = (
    Keyword("ALLOW_NONEXISTENT", Bool(), False),
    Keyword("UP_CALL", Raw()),
    Keyword("DOWN_CALL", Raw()),
)


#: What Linux and people call devices whose packets begin with an Ethernet header. Those of others, such as tunnels, may begin with IP.
_ETHERNET = re.compile(r"(eth|en[opsx]|em|veth|tap|br|bond|lan|wan)[\w.]*\d")


def begins(devname: str) -> str | None:
    """What a device's packets begin with, as far as its name says (forms.py)."""
    return ETHERNET if _ETHERNET.fullmatch(devname) else None


def refuse_coming_and_going(cfg: SimpleNamespace) -> None:
    """ArgError if one of these arguments asks for something."""
    for argument in COMING_AND_GOING:
        if getattr(cfg, argument.name.lower()):
            raise ArgError(f"{argument.name} isn't supported", argument=argument.name)


class CountedDevice(Element):
    """An element that takes the packets of the device DEVNAME, and counts them."""

    state_types = {"counters": PerThread(count=u64)}
    count = sum_handler("counters", text="packets of the device")
    dev_name = read_handler(lambda self: self.cfg.devname, text="the device")
    reset_counts = reset_handler("counters", text="sets the counts to 0.")
