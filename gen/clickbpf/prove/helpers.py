"""The kernel's helper functions that the objects call (bpf-helpers(7)).

The router is assumed to be completely loaded: devices and sockets are in their maps, ring buffers have room, and there are 192 bytes of
headroom.
"""

from __future__ import annotations

from collections.abc import Mapping

from clickbpf.objects.manifest import Manifest
from clickbpf.prove import terms
from clickbpf.prove.code import Code, Pointer
from clickbpf.prove.machine import ANY, BIAS, PACKET, REDIRECT, Machine, State, Unsupported
from clickbpf.prove.values import Word

#: The headroom that programs may use, and the shortest frame (ETH_HLEN) that they may leave.
HEADROOM, SHORTEST = 192, 14
#: The most tail calls that the kernel follows.
MOST_JUMPS = 33
#: The most bytes that bpf_csum_diff() takes in all kernels.
MOST_SUMMED = 512
_FULL = (1 << 64) - 1
_FAILED = -22 & _FULL
#: The flag of bpf_redirect_map() for all devices of a map.
BROADCAST = 1 << 3


class Helpers:
    """The helpers of an object by their numbers (enum bpf_func_id)."""

    def __init__(self, code: Code, manifest: Manifest, slots: int):
        self.maps = {entry.name: entry for entry in manifest.maps}
        self.slots = slots
        self.jumps = {program.jump: code.programs[program.name] for program in manifest.programs if program.jump is not None}

    def table(self) -> Mapping[int, object]:
        times = {number: _any("time", 64) for number in (5, 118, 125, 160, 208)}
        return times | {
            1: self.lookup, 7: _any("random", 32), 8: lambda *_: 0, 12: self.tail_call, 28: csum_diff, 44: adjust_head,
            51: redirect_map, 65: adjust_tail, 131: self.reserve, 132: lambda *_: 0, 134: lambda *_: 0, 189: load_bytes,
        }  # fmt: skip

    def lookup(self, machine: Machine, state: State, table: Pointer, key: Pointer, *_: object) -> Word | Pointer:
        """An array's value, or NULL beyond its end."""
        entry = self.maps[table.region[1]]
        index = machine.load(state, key, 4)
        if not state.holds(terms.below(index, max(1, entry.max_entries(self.slots)))):
            return 0
        return Pointer(("value", entry.name), terms.multiply(64, index, entry.stride or 1 << 16))

    def tail_call(self, machine: Machine, state: State, _context: Pointer, _jumps: Pointer, index: Word, *_: object) -> Word:
        number = state.constant(terms.extract(31, 0, index))
        if len(state.jumps) >= MOST_JUMPS:
            return _FAILED
        state.jumps = (*state.jumps, number)
        machine.enter(state, self.jumps[number])
        return state.registers[0]

    def reserve(self, _machine: Machine, state: State, *_: object) -> Pointer:
        """Returns a new region of memory for each call."""
        state.asked += 1
        return Pointer(("ring", state.asked), 0)


def _any(name: str, width: int):
    def helper(machine: Machine, state: State, *_: object) -> Word:
        state.asked += 1
        return terms.extend(64, machine.world.any(f"{name}{state.asked}", width), width)

    return helper


def adjust_head(_machine: Machine, state: State, _context: Pointer, delta: Word, *_: object) -> Word:
    if state.values.get(delta) == ANY:
        return _move(state, delta)
    head = state.head + ((state.constant(delta) & 0xFFFFFFFF) ^ 1 << 31) - (1 << 31)
    long_enough = terms.below(terms.add(64, head + SHORTEST - 1, BIAS), terms.add(64, state.end, BIAS))
    if not _has_room(state, head & _FULL) or not state.holds(long_enough):
        return _FAILED
    state.head = head
    return 0


def _move(state: State, delta: Word) -> Word:
    """Move the start by an unknown number of bytes. All bytes from there on have unknown values then."""
    by = terms.add(64, terms.sign_extend(64, terms.extract(31, 0, delta), 32), state.head & _FULL)
    end = terms.subtract(64, state.end, by)
    if not _has_room(state, by):
        return _FAILED
    if not state.holds(terms.opposite(terms.below_signed(64, end, SHORTEST))):
        return _FAILED
    state.forget_packet(delta)
    state.head, state.arrived, state.end = 0, terms.subtract(64, state.arrived, by), end
    return 0


def _has_room(state: State, head: Word) -> bool:
    return state.holds(terms.opposite(terms.below_signed(64, head, terms.subtract(64, state.arrived, HEADROOM))))


def adjust_tail(_machine: Machine, state: State, _context: Pointer, delta: Word, *_: object) -> Word:
    """Supports only shortening: drivers differ in the room that they leave behind frames."""
    end = terms.add(64, state.end, terms.sign_extend(64, terms.extract(31, 0, delta), 32))
    if not state.holds(terms.opposite(terms.below_signed(64, end, (state.head + SHORTEST) & _FULL))):
        return _FAILED
    if state.holds(terms.below_signed(64, state.end, end)):
        raise Unsupported("a frame gets longer at its end")
    state.end = end
    return 0


def redirect_map(_machine: Machine, state: State, table: Pointer, key: Word, flags: Word, *_: object) -> Word:
    """What a map without an entry would return, in the lowest flags, doesn't matter."""
    state.redirect = (table.region[1], terms.extract(31, 0, key), state.constant(flags))
    if state.redirect[2] & ~BROADCAST > 3:
        raise Unsupported("a redirect that leaves out a device")
    return REDIRECT


def load_bytes(machine: Machine, state: State, _context: Pointer, offset: Word, to: Pointer, length: Word, *_: object) -> Word:
    """bpf_xdp_load_bytes()"""
    start, count = state.constant(terms.extract(31, 0, offset)), state.constant(terms.extract(31, 0, length))
    after = terms.add(64, state.head + start + count, BIAS)
    if not state.holds(terms.opposite(terms.below(terms.add(64, state.end, BIAS), after))):
        return _FAILED
    for place in range(count):
        byte = machine.load(state, Pointer(PACKET, (state.head + start + place) & _FULL), 1)
        machine.store(state, Pointer(to.region, terms.add(64, to.offset, place)), 1, byte)
    return 0


def csum_diff(machine: Machine, state: State, _before: Pointer | int, old: Word, after: Pointer, new: Word, seed: Word) -> Word:
    """The ones' complement sum of the seed and the new bytes, folded to 16 bits as in kernels since 6.13. (Others leave 32 bits, which are
    the same number in ones' complement.) For a difference, which of the two zeros the result is depends on the kernel; and kernels
    before 6.13 refuse other numbers of bytes."""
    count = state.constant(new)
    if state.constant(old) or count % 4 or count > MOST_SUMMED:
        raise Unsupported(f"bpf_csum_diff() of {state.constant(old)} old and {count} new bytes")
    words = (machine.load(state, after._replace(offset=terms.add(64, after.offset, place)), 4) for place in range(0, count, 4))
    return terms.fold(terms.total(64, [(word, 1) for word in (terms.extend(64, terms.extract(31, 0, seed), 32), *words)]))
