from __future__ import annotations

import ctypes
from collections.abc import Mapping

from clickbpf.args.values import Ether
from clickbpf.vocabulary.element import read_handler

from ..common._rows import RowsElement
from ..common._table import refused

#: The most sources: senders can choose any.
MOST = 1 << 20


class _Row(ctypes.Structure):
    _fields_ = (("source", ctypes.c_uint8 * 8), ("packets", ctypes.c_uint64))


class EtherCount(RowsElement):
    """counts packets by their Ethernet source

    Synopsis: `EtherCount`

    Packets pass unchanged; those of fewer than 14 bytes aren't counted. Of more than 1048576 sources the first ones are.

    Ports: one input, one output.

    Handlers:

      - `stats` (read): a line for each source: its address, and how many packets came from it.
      - `no_room` (read): packets of other sources, which weren't counted.
      - `reset` (write): forgets all sources.

    Example:

        FromDevice(eth0) -> sources :: EtherCount -> Queue -> ToDevice(eth1);
    """

    row = _Row

    def constants(self) -> Mapping[str, tuple[str, str]]:
        return {"capacity": ("__u32", str(MOST))}

    @read_handler
    def stats(self) -> str:
        return "".join(f"{Ether(row.source[:6])} {row.packets}\n" for row in self.copied())

    @read_handler
    def no_room(self) -> str:
        return refused(self.state.rows.table)
