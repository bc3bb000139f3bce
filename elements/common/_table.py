"""Tables of userspace/table.h in elements' private state, each with a number of rows that it may have."""

import ctypes

from clickbpf.declare import Element, Integer, Keyword, u64

#: Room for a `struct table`; table.h of this family makes it one. Where its member `refused` is, in bytes.
TABLE = u64 * 5
REFUSED = 32
#: TABLE_MOST of userspace/table.h.
TABLE_MOST = 1 << 26
#: The operation of CONTROL that copies all rows to where its argument says.
COPY = 0


def capacity(rows: int) -> Keyword:
    """CAPACITY, how many rows a table may have: packets make them, so there is always a limit."""
    return Keyword("CAPACITY", Integer(32, low=1, high=TABLE_MOST), rows, "how many stations are remembered. If there are more, one of "
        "those before is forgotten")


def refused(table: ctypes.Array) -> str:
    """How many packets found no room for another row, as handlers show it."""
    return str(ctypes.c_uint64.from_buffer(table, REFUSED).value)


def copy_rows(element: Element, table: ctypes.Array, row: type) -> ctypes.Array:
    """The rows of an element's table as CONTROL copies them, each a `row`, at a moment when no packet adds any."""
    if element.runtime is None:
        return (row * 0)()
    with element.runtime.locked():
        rows = (row * ctypes.c_uint32.from_buffer(table, 4).value)()
        if len(rows):
            element.runtime.control(COPY, rows)
        return rows
