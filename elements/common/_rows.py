"""Elements whose handlers show and clear the rows of a table (rows.inc.h)."""

import ctypes
from collections.abc import Mapping
from typing import Any

from clickbpf.declare import ANEW, USER, Element, Ether, Held, Private, State, control_handler, u32

from ._table import TABLE, capacity, copy_rows

#: CAPACITY of elements whose full table replaces a row by each new one.
CAPACITY = capacity(4096)


class RowsElement(Element, runs=USER):
    """The state `rows` begins with the table and with `hand`, for table_admit()."""

    #: CLEAR forgets all rows.
    operations = ("COPY", "CLEAR")
    state_types: Mapping[str, State] = {"rows": Private(table=TABLE, hand=u32)}
    holds = (Held("counts for each address", ANEW, ANEW),)
    #: A row's fields, the key first: struct SELF(row) in C.
    row: State

    def code(self) -> str:
        return super().code() + self.row.c_structure("SELF(row)")

    def line(self, row: Any) -> str:
        """A row as handlers show it."""
        raise NotImplementedError

    def lines(self) -> str:
        return "".join(map(self.line, self.copied()))

    def copied(self) -> ctypes.Array:
        """The rows as they are now."""
        return copy_rows(self, self.state.rows.table, self.row.struct)

    reset = control_handler("CLEAR", text="forgets all of it")


def ether(row: Any) -> Ether:
    """The Ethernet address that is a row's key."""
    return Ether(row.address.to_bytes(8, "little")[:6])
