import ctypes

from clickbpf.declare import Constants, Ether, read_handler

from ..common._rows import RowsElement
from ..common._table import refused

#: The most sources: senders can choose any.
MOST = 1 << 20


class _Row(ctypes.Structure):
    _fields_ = (("source", ctypes.c_uint8 * 8), ("packets", ctypes.c_uint64))


class EtherCount(RowsElement):
    """counts packets by their Ethernet source

    Packets pass unchanged; packets of less than 14 bytes aren't counted. Only the first 1048576 sources are counted.

    Example:

        FromDevice(eth0) -> sources :: EtherCount -> Queue -> ToDevice(eth1);
    """

    row = _Row

    def constants(self) -> Constants:
        return {"capacity": ("__u32", str(MOST))}

    @read_handler
    def stats(self) -> str:
        """a line for each source: its address, and how many packets came from it."""
        return "".join(f"{Ether(row.source[:6])} {row.packets}\n" for row in self.copied())

    no_room = read_handler(lambda self: refused(self.state.rows.table), text="packets of further sources, which weren't counted.")
