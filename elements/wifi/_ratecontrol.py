"""Elements that choose the rate for each station, by reports on packets that were sent (ratecontrol.inc.h)."""

from collections.abc import Mapping

from clickbpf.declare import Bool, Integer, Keyword, State, Vars, field_handlers, read_handler, u8, u32

from ..common._rows import CAPACITY, RowsElement
from ._extra import FlagLine, Line
from ._management import DEBUG, DEBUG_TEXT, Manager

COMMON_TEXT = f"""{DEBUG_TEXT}
      - CAPACITY: how many stations are remembered. If there are more, one of those before is forgotten. Default is 4096."""
PORTS_TEXT = """input 0 for packets that are to be sent, push or pull; push input 1 for reports, packets that were sent (FilterTX).
    Packets leave by the output with the input's number, or end here if there is none."""
COMMON_HANDLERS = """- `reset` (write): forgets all stations.
      - `offset`, `threshold`, `active`, `debug` (read, write): the arguments."""


#: Members of the state that all of them have.
VARS = {"offset": u32, "threshold": u32, "active": u8, "debug": u8}


class RateControl(RowsElement, Manager, ports="2/0-2", processing="ah/a", flow="#/#"):
    """OFFSET, THRESHOLD, ACTIVE, DEBUG and CAPACITY, with their handlers."""

    annotations = ("WIFI_EXTRA",)
    args = (
        DEBUG,
        Keyword("OFFSET", Integer(32), 0, "where the destination's Ethernet address is in a packet: 4 in 802.11 frames"),
        Keyword("THRESHOLD", Integer(32), 0, "reports on packets shorter than this that arrived don't count"),
        Keyword("ACTIVE", Bool(), True, "false to do nothing"),
        CAPACITY,
    )
    state_types: Mapping[str, State] = {**RowsElement.state_types, "vars": Vars(**VARS)}

    @read_handler
    def rates(self) -> str:
        """a line for each station: its address, its rate, and packets in a row without retries."""
        return "".join(map(str, self.copied()))

    offset = field_handlers("vars", Line(32))
    threshold = field_handlers("vars", Line(32))
    active = field_handlers("vars", FlagLine())
