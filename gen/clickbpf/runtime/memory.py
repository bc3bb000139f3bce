"""Memory for state that isn't in the kernel path's maps: page-aligned, zeroed, private to the process."""

import ctypes
import mmap
import struct
from collections.abc import Mapping
from contextlib import suppress

from clickbpf.vocabulary.drops import REASONS
from clickbpf.vocabulary.element import Element
from clickbpf.vocabulary.state import CACHE_LINE, Common, PerThread, State, View, u64

#: Drop counts of both executors: entry element * slots + slot.
DROPS = PerThread(reason=u64 * len(REASONS))

_COUNTS = struct.Struct(f"={len(REASONS)}Q")

#: From this many bytes on memory uses huge pages, if available, which reduces the lookup of one of a million flows to two thirds of the
#: time.
LARGE = 1 << 22

Views = Mapping[str, Mapping[str, View]]


def drop_counts(drops: View, element: int, slots: int) -> dict[str, int]:
    """Packets that an element dropped, by reason; reasons that didn't occur are left out."""
    rows = filter(any, (bytes(drops[element * slots + slot]) for slot in range(slots)))  # most elements drop nothing
    counts = zip(REASONS, map(sum, zip(*map(_COUNTS.unpack_from, rows))))
    return {reason: count for reason, count in counts if count}


class MemoryEntry(ctypes.Structure):
    """struct memory of userspace/router.h."""

    _fields_ = [("address", ctypes.c_void_p), ("entries", u64), ("stride", u64)]


def plain_view(kind: State, entries: int) -> View:
    """`entries` zeroed values; no two states share a cache line."""
    size = max(1, entries) * kind.stride
    memory = mmap.mmap(-1, -(-size // CACHE_LINE) * CACHE_LINE, mmap.MAP_PRIVATE | mmap.MAP_ANONYMOUS)
    if size >= LARGE:
        with suppress(OSError):  # the kernel has no huge pages
            memory.madvise(mmap.MADV_HUGEPAGE)
    return View(kind, memoryview(memory), entries)


def state_views(elements: Mapping[str, Element], given: Views, slots: int) -> dict[str, dict[str, View]]:
    """Views of every state of all elements: the loader's (`given`), otherwise plain memory."""
    states = [(name, state, kind) for name, element in elements.items() for state, kind in element.state_types.items()]
    # State that elements share is in the kernel's memory if one of them is in the kernel.
    common = {state: given[name][state] for name, state, kind in states if isinstance(kind, Common) and state in given.get(name, {})}
    views: dict[str, dict[str, View]] = {name: {} for name in elements}
    for name, state, kind in states:
        known = common if isinstance(kind, Common) else given.get(name, {})
        views[name][state] = known[state] if state in known else plain_view(kind, kind.entries(elements[name], slots))
        if isinstance(kind, Common):
            common[state] = views[name][state]
    return views
