from __future__ import annotations

import ctypes
from enum import IntEnum

from clickbpf.args.values import Ether
from clickbpf.vocabulary.element import USER, Element, read_handler, write_handler
from clickbpf.vocabulary.state import Private

from ..common._table import COPY, TABLE, copy_rows, refused


class Operation(IntEnum):
    """Operations of CONTROL."""

    COPY, CLEAR = range(COPY, COPY + 2)


class _Row(ctypes.Structure):
    _fields_ = (("source", ctypes.c_uint8 * 8), ("packets", ctypes.c_uint64))


class EtherCount(Element):
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

    runs = USER
    entries = ("cleanup", "control")
    enums = (Operation,)
    state_types = {"seen": Private(table=TABLE)}

    @read_handler
    def stats(self) -> str:
        rows = copy_rows(self, self.state.seen.table, _Row)
        return "".join(f"{Ether(row.source[:6])} {row.packets}\n" for row in rows)

    @read_handler
    def no_room(self) -> str:
        return refused(self.state.seen.table)

    @write_handler
    def reset(self, text: str) -> None:
        if self.runtime is not None:
            self.runtime.control(Operation.CLEAR)
