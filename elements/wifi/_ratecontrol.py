"""Elements that choose each station's rate by transmit reports (ratecontrol.inc.h)."""

from collections.abc import Mapping

from clickbpf.declare import Bool, Integer, Keyword, State, Vars, field_handlers, read_handler, u8, u32

from ..common._rows import CAPACITY, RowsElement
from ._extra import FlagLine, Line
from ._management import DEBUG, Manager

PORTS_TEXT = """input 0 for packets to send, push or pull; push input 1 for reports: packets that were sent (FilterTX). Packets
    leave by the output with the input's number, or are consumed if there is none."""
#: The common members of their states.
VARS = {"offset": u32, "threshold": u32, "active": u8, "debug": u8}


class RateControl(RowsElement, Manager, ports="2/0-2", processing="ah/a", flow="#/#"):
    """OFFSET, THRESHOLD, ACTIVE, DEBUG and CAPACITY, with their handlers."""

    annotations = ("WIFI_EXTRA",)
    args = (
        DEBUG,
        Keyword("OFFSET", Integer(32), 0, "the offset of the destination's Ethernet address: 4 in 802.11 frames"),
        Keyword("THRESHOLD", Integer(32), 0, "successful packets shorter than this don't count"),
        Keyword("ACTIVE", Bool(), True, "false to do nothing"),
        CAPACITY,
    )
    state_types: Mapping[str, State] = {**RowsElement.state_types, "vars": Vars(**VARS)}

    @read_handler
    def rates(self) -> str:
        """a line for each station: its address, its rate, and its consecutive packets without retries."""
        return self.lines()

    offset = field_handlers("vars", Line(32))
    threshold = field_handlers("vars", Line(32))
    active = field_handlers("vars", FlagLine())
