"""Tables of userspace/table.h in elements' private state, with a limit on their rows."""

import ctypes

from clickbpf.declare import Element, Integer, Keyword, u64

#: Room for a `struct table`, which common/table.h casts it to; and the offset of its member `refused`.
TABLE = u64 * 5
REFUSED = 32
#: The most entries of a table.
TABLE_MOST = 1 << 26


def capacity(rows: int, text: str = "how many stations are remembered. A further one replaces an earlier one") -> Keyword:
    """CAPACITY, the most rows of a table: packets create them, so there is always a limit."""
    return Keyword("CAPACITY", Integer(32, low=1, high=TABLE_MOST), rows, text)


def refused(table: ctypes.Array) -> str:
    """The number of packets without room for a new row, as handlers show it."""
    return str(ctypes.c_uint64.from_buffer(table, REFUSED).value)


def copy_rows(element: Element, table: ctypes.Array, row: type) -> ctypes.Array:
    """A consistent copy of the rows of an element's table, made by its operation COPY; each is a `row`."""
    if element.runtime is None:
        return (row * 0)()
    with element.runtime.locked():
        rows = (row * ctypes.c_uint32.from_buffer(table, 4).value)()
        if len(rows):
            element.runtime.control("COPY", rows)
        return rows
