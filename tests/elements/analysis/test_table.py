"""Rows of tables are copied while packets stand still: one that came in between would be copied beyond the room for them."""

import ctypes
import sys
from contextlib import contextmanager
from types import SimpleNamespace

from clickbpf.vocabulary.library import Library

copy_rows = sys.modules[Library.standard().find("AggregatePacketCounter").__module__].copy_rows


class Busy:
    """A runtime whose packets add a row whenever they may."""

    def __init__(self, table: ctypes.Array):
        self.rows, self.stands = ctypes.c_uint32.from_buffer(table, 4), False

    @contextmanager
    def locked(self):
        self.stands = True
        yield
        self.stands = False

    def control(self, op: str, rows: ctypes.Array) -> None:
        self.rows.value += not self.stands
        assert (op, len(rows)) == ("COPY", self.rows.value)
        rows[self.rows.value - 1][0] = 7


def test_rows_are_those_of_one_moment():
    table = (ctypes.c_uint64 * 4)()
    busy = Busy(table)
    busy.rows.value = 3
    rows = copy_rows(SimpleNamespace(runtime=busy), table, ctypes.c_uint32 * 2)
    assert [list(row) for row in rows] == [[0, 0], [0, 0], [7, 0]]


def test_without_a_runtime_or_rows_there_are_none():
    table = (ctypes.c_uint64 * 4)()
    assert len(copy_rows(SimpleNamespace(runtime=None), table, ctypes.c_uint32 * 2)) == 0
    assert len(copy_rows(SimpleNamespace(runtime=Busy(table)), table, ctypes.c_uint32 * 2)) == 0
