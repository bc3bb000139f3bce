"""Elements whose handlers show and clear the rows of a table (rows.inc.h)."""

import ctypes
from collections.abc import Mapping

from clickbpf.declare import ANEW, USER, Element, Held, Private, State, control_handler, u32

from ._table import TABLE, capacity, copy_rows

#: CAPACITY of elements whose full table replaces a row by each new one.
CAPACITY = capacity(4096)


class RowsElement(Element, runs=USER):
    """The state `rows` begins with the table and with `hand`, for table_admit()."""

    #: CLEAR forgets all rows.
    operations = ("COPY", "CLEAR")
    state_types: Mapping[str, State] = {"rows": Private(table=TABLE, hand=u32)}
    holds = (Held("counts for each address", ANEW, ANEW),)
    #: The ctypes class of a row.
    row: type

    def copied(self) -> ctypes.Array:
        """The rows as they are now."""
        return copy_rows(self, self.state.rows.table, self.row)

    reset = control_handler("CLEAR", text="forgets all of it")
