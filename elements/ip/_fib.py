"""A longest-prefix trie in shared memory, which packets are routed by while it changes.

The trie's strides are 16 bits and then 8 bits to the address's end, two levels more for IPv4, 14 for IPv6. Its memory is an
array of chunks of 256 cells; the first 256 chunks are the root, 65536 cells indexed by the address's first 16 bits. A cell
(u32) is

    0                   no route
    1 .. 2^31 - 1       a route: its number + 1
    CHUNK | number      a chunk, indexed by the next 8 bits

and holds the longest prefix that covers it (routes are pushed down to the leaves), so a lookup reads at most one cell a level.
Since every route has its own number, a prefix P below its parent Q is added by replacing Q by P in all cells of P's range, and
removed by the reverse. Every step is one 4-byte store; a chunk is linked when it is complete, and rests for a while before it is
reused, because someone may still be reading it.
"""

import ctypes
import time
from array import array
from collections import deque
from collections.abc import Iterable, Mapping, Sequence

from clickbpf.declare import View, u32

CHUNK_CELLS = 256
ROOT_CHUNKS = 256
ROOT_CELLS = ROOT_CHUNKS * CHUNK_CELLS
CHUNK = 0x8000_0000

#: Seconds that a chunk rests; a lookup takes less than a microsecond, unless its thread is preempted.
REST = 0.1

class NoChunk(Exception):
    """The trie needs more chunks than it has."""


class Fib:
    """The trie over a state's memory, which is zeroed or has been written by another instance of this class."""

    def __init__(self, chunks: View, bits: int = 32):
        """`bits` is the length of an address."""
        self._bits = bits
        #: For each level: the prefix length down to which its cells distinguish prefixes, and the mask of a cell's index.
        self._levels = ((16, 0xFFFF), *((last, 0xFF) for last in range(24, bits + 1, 8)))
        self._view = chunks  # keeps the memory
        self._chunks = len(chunks)
        memory = (u32 * (self._chunks * CHUNK_CELLS)).from_address(ctypes.addressof(chunks[0]))
        self._cells = memoryview(memory).cast("B").cast("I")
        self._fresh = ROOT_CHUNKS
        self._resting: deque[tuple[float, int]] = deque()
        self._find_used()

    def _find_used(self) -> None:
        """Find the chunks in use."""
        used: set[int] = set()
        pending = [(0, ROOT_CELLS)]
        while pending:
            start, count = pending.pop()
            linked = [cell ^ CHUNK for cell in self._cells[start : start + count].tolist() if cell & CHUNK]
            used.update(linked)
            pending += ((chunk * CHUNK_CELLS, CHUNK_CELLS) for chunk in linked)
        self._fresh = max(used, default=ROOT_CHUNKS - 1) + 1
        self._resting.extend((0.0, chunk) for chunk in range(ROOT_CHUNKS, self._fresh) if chunk not in used)

    # -- reading ------------------------------------------------------------------------------------------------------

    def lookup(self, address: int) -> int:
        """The cell value, 0 or a route's number + 1, for an address in host order."""
        cells, bits = self._cells, self._bits - 16
        cell = cells[address >> bits]
        while cell & CHUNK:
            bits -= 8
            cell = cells[(cell ^ CHUNK) * CHUNK_CELLS + (address >> bits & 0xFF)]
        return cell

    # -- changing -----------------------------------------------------------------------------------------------------

    def build(self, addresses: Sequence[int], by_length: Mapping[int, Iterable[int]]) -> None:
        """Fill an empty trie: for each prefix length, `by_length` has the numbers of routes, which index `addresses`. NoChunk if
        they don't fit.

        Longer prefixes overwrite shorter ones, without reading, so the time is linear.
        """
        cells, split = self._cells, self._split
        for length, numbers in sorted(by_length.items()):
            levels = [level for level in self._levels if level[0] < length]
            *above, (shift, mask) = [(self._bits - last, mask) for last, mask in self._levels[: len(levels) + 1]]
            count = 1 << (self._bits - shift - length)
            for number in numbers:
                address, base = addresses[number], 0
                for to_index, within in above:
                    index = base + (address >> to_index & within)
                    base = (cells[index] & ~CHUNK if cells[index] & CHUNK else split(index)) * CHUNK_CELLS
                index = base + (address >> shift & mask)
                if count == 1:
                    cells[index] = number + 1
                else:
                    cells[index : index + count] = array("I", (number + 1,)) * count

    def add(self, address: int, length: int, parent: int, value: int) -> None:
        """Add a prefix whose longest covering prefix has the value `parent`, 0 if there is none; NoChunk changes nothing."""
        free = self._chunks - self._fresh + len(self._resting)
        if free < len(self._levels) and free < self._missing_chunks(address, length):
            raise NoChunk
        start, count = self._cells_of(address, length)
        if count == 1 and self._cells[start] == parent:
            self._cells[start] = value
        else:
            self._replace(start, count, parent, value)

    def remove(self, address: int, length: int, parent: int, value: int) -> None:
        """Undo `add`, and free the chunks that only this prefix needed."""
        self._replace(*self._cells_of(address, length), value, parent)
        for depth in range(len(self._levels) - 1, 0, -1):
            if length > self._levels[depth - 1][0]:
                self._join(address, depth)

    def clear(self) -> None:
        """Forget all prefixes: each of the root's cells becomes 0."""
        self._cells[:ROOT_CELLS] = array("I", bytes(4 * ROOT_CELLS))
        now = time.monotonic()
        resting = {chunk for _, chunk in self._resting}
        self._resting.extend((now, chunk) for chunk in range(ROOT_CHUNKS, self._fresh) if chunk not in resting)

    def _replace(self, start: int, count: int, old: int, new: int) -> None:
        """Replace a value in `count` cells and all chunks below them."""
        cells = self._cells
        for index in range(start, start + count):
            cell = cells[index]
            if cell == old:
                cells[index] = new
            elif cell & CHUNK:
                self._replace((cell ^ CHUNK) * CHUNK_CELLS, CHUNK_CELLS, old, new)

    def _cells_of(self, address: int, length: int) -> tuple[int, int]:
        """The first cell of a prefix, and the number of its cells; missing chunks are made."""
        base = 0
        for last, mask in self._levels:
            index = base + (address >> (self._bits - last) & mask)
            if length <= last:
                break
            cell = self._cells[index]
            base = (cell ^ CHUNK if cell & CHUNK else self._split(index)) * CHUNK_CELLS
        return index, 1 << (last - length)

    def _missing_chunks(self, address: int, length: int) -> int:
        """How many chunks `_cells_of` will make."""
        base = 0
        for last, mask in self._levels:
            if length <= last:
                return 0
            cell = self._cells[base + (address >> (self._bits - last) & mask)]
            if not cell & CHUNK:
                return -(-(length - last) // 8)
            base = (cell ^ CHUNK) * CHUNK_CELLS
        raise ValueError(length)

    def _split(self, index: int) -> int:
        """Replace a cell by a chunk of cells with the cell's value; returns the chunk's number."""
        chunk = self._take()
        start = chunk * CHUNK_CELLS
        self._cells[start : start + CHUNK_CELLS] = array("I", (self._cells[index],)) * CHUNK_CELLS
        self._cells[index] = CHUNK | chunk
        return chunk

    def _join(self, address: int, depth: int) -> None:
        """Replace the chunk at `depth` (from 1) on an address's path by a cell, if all of its cells are the same route."""
        base = 0
        for last, mask in self._levels[:depth]:
            index = base + (address >> (self._bits - last) & mask)
            cell = self._cells[index]
            if not cell & CHUNK:
                return
            base = (cell ^ CHUNK) * CHUNK_CELLS
        inside = self._cells[base : base + CHUNK_CELLS]
        if not inside[0] & CHUNK and inside.tobytes() == inside[:1].tobytes() * CHUNK_CELLS:
            self._cells[index] = inside[0]
            self._resting.append((time.monotonic(), cell ^ CHUNK))

    def _take(self) -> int:
        """An unused chunk; NoChunk if there is none."""
        if self._resting and (self._fresh == self._chunks or time.monotonic() - self._resting[0][0] > REST):
            since, chunk = self._resting.popleft()
            remaining = since + REST - time.monotonic()
            if remaining > 0:
                time.sleep(remaining)
            return chunk
        if self._fresh == self._chunks:
            raise NoChunk
        self._fresh += 1
        return self._fresh - 1
