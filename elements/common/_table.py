"""Tables of userspace/table.h in elements' private state."""

from __future__ import annotations

import ctypes

from clickbpf.element import Element
from clickbpf.state import u64

#: Room for a `struct table`; table.h of this family makes it one.
TABLE = u64 * 4
#: The operation of CONTROL that copies all rows to where its argument says.
COPY = 0


def copy_rows(element: Element, table: ctypes.Array, row: type) -> ctypes.Array:
    """The rows of an element's table as CONTROL copies them, each a `row`, at a moment when no packet adds any."""
    if element.runtime is None:
        return (row * 0)()
    with element.runtime.locked():
        rows = (row * ctypes.c_uint32.from_buffer(table, 4).value)()
        if len(rows):
            element.runtime.control(COPY, rows)
        return rows
