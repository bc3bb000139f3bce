"""Socket buffers, which TC programs have instead of XDP frames.

A packet is as Linux gives a received one to TC: its outermost VLAN tag is beside the frame, of at most four. It is in one piece, its
checksum is complete, and it isn't joined from segments. The functions in `FUNCTIONS`, of bpf/tc.h and bpf/exits_tc.h, which bring frames
into another form by several of the kernel's helpers, are taken for what they should do: that is compared by the test suite.
"""

from __future__ import annotations

from collections.abc import Mapping

from clickbpf.prove import terms
from clickbpf.prove.code import Pointer
from clickbpf.prove.frames import Frame
from clickbpf.prove.helpers import load_bytes
from clickbpf.prove.machine import PACKET, Machine, State, Unsupported
from clickbpf.prove.values import Truth, Word
from clickbpf.prove.worlds import Any

#: TC_ACT_REDIRECT, and BPF_F_INGRESS.
REDIRECT, INGRESS = 7, 1
#: The most tags that are put back, and their types.
MOST_TAGS, TAGS = 4, (0x8100, 0x88A8)
#: Offsets in struct __sk_buff.
LENGTH, TYPE, PROTOCOL, TAGGED, DATA, END = 0, 4, 16, 20, 76, 80
#: Fields that are 0: mark, queue_mapping, tc_index, gso_segs, gso_size.
ZERO = (8, 12, 44, 164, 176)
#: In a handover's record, its size.
SIZE = 7
_FULL = (1 << 64) - 1


def prepare(machine: Machine, devices: int, stride: int) -> None:
    """Give a machine the helpers and functions of TC programs. Each device has its number, plus one, as interface index, in a map whose
    values have `stride` bytes."""
    machine.helpers = {**machine.helpers, 23: redirect, 26: load_bytes, 38: change_tail, 43: change_head}
    machine.functions = {machine.code.programs[name]: does for name, does in FUNCTIONS.items() if name in machine.code.programs}
    interfaces = {stride * number + at: (number + 1) * (not at) for number in range(devices) for at in range(4)}
    machine.world.fixed = {**machine.world.fixed, "tx": interfaces}


def fields(world: Any, frame: Frame, address: int) -> Mapping[int, Word]:
    """The fields of struct __sk_buff, by offset, for a frame that arrives on a device whose address is at this offset of .rodata."""
    own = terms.all_of(terms.equal(frame.byte(at), world.byte(("value", ".rodata"), None, address + at)) for at in range(6))
    group = terms.equal(terms.extract(0, 0, frame.byte(0)), 1)
    kind = terms.choose(own, 64, 0, terms.choose(terms.equal(frame.word(0, 6), (1 << 48) - 1), 64, 1, terms.choose(group, 64, 2, 3)))
    tagged = _is_tag(frame, 12)
    inner = terms.choose(tagged, 16, frame.word(16, 2), frame.word(12, 2))
    protocol = terms.extend(64, terms.swap(16, inner), 16)  # (of a length, IEEE 802.3, it would be another number)
    return {**dict.fromkeys(ZERO, 0), TYPE: kind, PROTOCOL: protocol, TAGGED: terms.choose(tagged, 64, 1, 0)}


def field(state: State, offset: int, size: int, known: Mapping[int, Word]) -> Word | Pointer:
    if offset in (DATA, END):
        return Pointer(PACKET, state.end if offset == END else state.head & _FULL)
    if offset not in known and offset != LENGTH:
        raise Unsupported(f"the field of a socket buffer at {offset}")
    value = terms.subtract(64, state.end, state.head) if offset == LENGTH else known[offset]
    return terms.extend(64, terms.extract(8 * size - 1, 0, value), 8 * size)


def has_few_tags(frame: Frame) -> Truth:
    return terms.opposite(terms.all_of(_is_tag(frame, 12 + 4 * number) for number in range(MOST_TAGS + 1)))


def _is_tag(frame: Frame, place: int) -> Truth:
    kind = frame.word(place, 2)
    return terms.all_of((frame.has(place + 6), terms.any_of(terms.equal(kind, tag) for tag in TAGS)))


def restore_tags(machine: Machine, state: State, *_: object) -> Word:
    """The number of tags; the frame is as it was on the wire."""
    frame = Frame(lambda place: machine.world.byte(PACKET, None, place), machine.world.length)
    return next(number for number in range(1, MOST_TAGS + 1) if number == MOST_TAGS or not state.holds(_is_tag(frame, 12 + 4 * number)))


def take_start(_machine: Machine, state: State, _context: Pointer, gap: Word, *_: object) -> Word:
    count = state.constant(terms.extract(31, 0, gap))
    if not state.holds(terms.below(count, terms.subtract(64, state.end, state.head))):
        return 0
    state.head += count
    return 1


def hand_over(machine: Machine, state: State, _context: Pointer, record: Pointer, *_: object) -> Word:
    """Puts the record in front of the frame. The runtime listens, and has room."""
    size = state.constant(machine.load(state, _at(record, SIZE), 1))
    change_head(machine, state, _context, size)
    for at in range(size):
        machine.store(state, Pointer(PACKET, (state.head + at) & _FULL), 1, machine.load(state, _at(record, at), 1))
    state.redirect = "xsks", 0, 0
    return REDIRECT


def _at(address: Pointer, by: int) -> Pointer:
    return address._replace(offset=terms.add(64, address.offset, by))


def change_head(machine: Machine, state: State, _context: Pointer, count: Word, *_: object) -> Word:
    """New bytes are zeros. The kernel makes room for them."""
    count = state.constant(terms.extract(31, 0, count))
    state.head -= count
    for at in range(count):
        machine.store(state, Pointer(PACKET, (state.head + at) & _FULL), 1, 0)
    return 0


def change_tail(_machine: Machine, state: State, _context: Pointer, length: Word, *_: object) -> Word:
    end = terms.add(64, state.head & _FULL, terms.extend(64, terms.extract(31, 0, length), 32))
    if state.holds(terms.below_signed(64, state.end, end)):
        raise Unsupported("a frame gets longer at its end")
    state.end = end
    return 0


def redirect(_machine: Machine, state: State, interface: Word, flags: Word, *_: object) -> Word:
    state.redirect = "tx", state.constant(terms.extract(31, 0, interface)) - 1, state.constant(flags)
    return REDIRECT


#: What replaces the programs' functions of these names.
FUNCTIONS: Mapping[str, object] = {
    "restore_tags": restore_tags, "frame_take_start": take_start, "hand_over_record": hand_over, "is_unfinished": lambda *_: 0,
}  # fmt: skip
