from typing import Any

from clickbpf.declare import State, read_handler, u64

from ..common._rows import RowsElement, ether
from ..common._table import refused

#: The most sources: senders can choose any.
MOST = 1 << 20


class EtherCount(RowsElement):
    """counts packets by their Ethernet source

    Packets pass unchanged; packets of less than 14 bytes aren't counted. Only the first 1048576 sources are counted.

    Example: FromDevice(eth0) -> sources :: EtherCount -> Queue -> ToDevice(eth1);
    """

    row = State(address=u64, packets=u64)
    derived = {"capacity": ("__u32", lambda self: MOST)}

    @read_handler
    def stats(self) -> str:
        """a line for each source: its address, and how many packets came from it."""
        return self.lines()

    no_room = read_handler(lambda self: refused(self.state.rows.table), text="packets of further sources, which weren't counted.")

    def line(self, row: Any) -> str:
        return f"{ether(row)} {row.packets}\n"
