"""The memory of states where the kernel path has none."""

import ctypes
from pathlib import Path

import pytest

from clickbpf.runtime.memory import LARGE, plain_view
from clickbpf.vocabulary.state import Array, View, address, be32, s32, u8, u32

KIND = Array(0, first=u8, port=s32, place=be32, number=u32)
HUGE = Path("/sys/kernel/mm/transparent_hugepage/enabled")


def flags(view: View) -> list[str]:
    """Of the mapping that a view's memory is in, as the kernel names them (proc(5), VmFlags)."""
    here, inside = address(view), False
    for line in Path("/proc/self/smaps").read_text().splitlines():
        begin, _, rest = line.partition("-")
        if rest and len(rest.split()) >= 5 and line[0] in "0123456789abcdef":
            inside = int(begin, 16) <= here < int(rest.split()[0], 16)
        elif inside and line.startswith("VmFlags:"):
            return line.split()[1:]
    raise AssertionError("no such mapping")


@pytest.mark.skipif(not HUGE.exists(), reason="this kernel has no huge pages")
def test_large_memory_is_of_huge_pages():
    assert "hg" in flags(plain_view(KIND, LARGE // KIND.stride + 1))
    assert "hg" not in flags(plain_view(KIND, 100))


def test_memory_is_zeroed_and_as_large_as_said():
    for entries in (0, 1, LARGE // KIND.stride + 1):
        view = plain_view(KIND, entries)
        assert len(view) == entries and view.content() == bytes(entries * ctypes.sizeof(KIND.struct))


def test_a_column_is_the_field_of_all_values():
    view = plain_view(KIND, 5)
    for number, each in enumerate(view):
        each.first, each.port, each.place, each.number = number, -number, number, 7
    assert list(view.column("first")) == [0, 1, 2, 3, 4]
    assert list(view.column("port", "i")) == [0, -1, -2, -3, -4]
    assert [word.to_bytes(4, "little") for word in view.column("place")] == [bytes((0, 0, 0, n)) for n in range(5)]
    view.column("number")[3] = 9
    assert [each.number for each in view] == [7, 7, 7, 9, 7]
    pairs = plain_view(Array(0, gateway=be32, port=s32), 3)
    pairs.column("gateway", "Q")[1] = int.from_bytes(bytes((1, 2, 3, 4, 5, 0, 0, 0)), "little")
    assert (pairs[1].gateway, pairs[1].port, pairs[0].port, pairs[2].gateway) == (0x01020304, 5, 0, 0)
