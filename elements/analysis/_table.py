"""Tables of userspace/table.h in elements' private state."""

from __future__ import annotations

import ctypes

from clickbpf.state import u64

#: Room for a `struct table`; table.h of this family makes it one.
TABLE = u64 * 4


def entries(table: ctypes.Array) -> int:
    """How many entries a table has."""
    return ctypes.c_uint32.from_buffer(table, 4).value
