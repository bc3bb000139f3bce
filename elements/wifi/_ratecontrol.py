"""Elements that choose the rate for each station, by reports on packets that were sent (ratecontrol.inc.h)."""

from __future__ import annotations

from collections.abc import Mapping

from clickbpf.args import Bool, Integer, Keyword
from clickbpf.vocabulary.element import field_handlers, read_handler
from clickbpf.vocabulary.state import State, Vars, u8, u32

from ..common._rows import CAPACITY, RowsElement
from ._extra import FlagLine, Line
from ._management import DEBUG, DEBUG_TEXT, RT_TEXT, Manager

OFFSET_TEXT = "- OFFSET: where the destination's Ethernet address is in a packet: 4 in 802.11 frames. Default is 0."
COMMON_TEXT = f"""{OFFSET_TEXT}
      {RT_TEXT} A station without rates there has no rate chosen for it.
      - ACTIVE: false to do nothing. Default is true.
      {DEBUG_TEXT}
      - CAPACITY: how many stations are remembered. If there are more, one of those before is forgotten. Default is 4096."""
PORTS_TEXT = """input 0 for packets that are to be sent, push or pull; push input 1 for reports, packets that were sent (FilterTX).
    Packets leave by the output with the input's number, or end here if there is none."""
COMMON_HANDLERS = """- `reset` (write): forgets all stations.
      - `offset`, `threshold`, `active`, `debug` (read, write): the arguments."""


#: Members of the state that all of them have.
VARS = {"offset": u32, "threshold": u32, "active": u8, "debug": u8}


class RateControl(RowsElement, Manager):
    """OFFSET, THRESHOLD, ACTIVE, DEBUG and CAPACITY, with their handlers."""

    ports = "2/0-2"
    processing = "ah/a"
    flow = "#/#"
    entries = ("pull", "control", "cleanup")
    annotations = ("WIFI_EXTRA",)
    args = (
        DEBUG,
        Keyword("OFFSET", Integer(32), 0),
        Keyword("THRESHOLD", Integer(32), 0),
        Keyword("ACTIVE", Bool(), True),
        CAPACITY,
    )
    state_types: Mapping[str, State] = {**RowsElement.state_types, "vars": Vars(**VARS)}

    @read_handler
    def rates(self) -> str:
        return "".join(map(str, self.copied()))

    offset = field_handlers("vars", Line(32))
    threshold = field_handlers("vars", Line(32))
    active = field_handlers("vars", FlagLine())
