"""An interpreter of BPF: given a packet's bytes it runs a program on that packet, given variables on all packets at once.

A `State` is a program stopped at an instruction. `Machine.step()` executes an instruction. If the outcome depends on a term, it raises
`Split`; the explorer (explore.py) then continues with a state for each outcome, and executes the instruction again.
Regions of memory are the stack of each call, the packet, the context, and values of maps. Offsets in a region are constants, except in maps
(`keyed`), where an offset may be a sum of a variable part and a constant. Bytes are stored by variable part. Since two different sums may
be the same address, a write makes the machine forget all bytes stored under other variable parts; they then have unknown values.
"""

from __future__ import annotations

from collections.abc import Mapping
from functools import partial

from clickbpf.prove import terms
from clickbpf.prove.code import CALLS, PSEUDO_CALL, WIDE, Code, Instruction, Place, Pointer
from clickbpf.prove.evaluation import Values
from clickbpf.prove.values import Term, Truth, Word, history
from clickbpf.prove.worlds import Any

#: The registers that calls preserve, and the frame pointer.
KEPT, STACK = range(6, 10), 10
STACK_SIZE = 512
CONTEXT, PACKET = ("context",), ("packet",)
#: Added to offsets before unsigned comparisons: offsets in packets may be negative, but are always small.
BIAS = 1 << 20
#: Stands for the value of a word with too many possible values.
ANY = -1
#: The codes of BPF_EXIT, and of version 4's byte swap and long jump, which the compiler doesn't use.
EXIT, SWAP, LONG_JUMP = 0x95, 0xD7, 0x06
#: The program's result for a redirect.
REDIRECT = 4


class Split(Exception):
    """An instruction's outcome depends on an unknown truth, or on a word's unknown value."""

    def __init__(self, what: Term):
        self.what = what


class Unsupported(Exception):
    """An instruction that this interpreter can't execute."""


class State:
    """A program stopped at an instruction. `truths` has the assumptions on the path so far; a packet's bytes have the `base` None.
    `arrived` is the place of its first byte on arrival, which may be unknown; `moved` isn't 0 once the packet was written or cut at an
    unknown place. `written` has the history() of each region's writes, `stale` its history when a write last made bytes unknown."""

    def __init__(self, place: Place, length: Word):
        self.place, self.count, self.calls = place, 0, ()
        self.registers: list[Word | Pointer | None] = [None] * 11
        self.registers[1], self.registers[STACK] = Pointer(CONTEXT, 0), Pointer(("stack", 0), STACK_SIZE)
        self.memory: dict[tuple, dict[int, object]] = {}
        self.head, self.end, self.arrived, self.moved = 0, length, 0, 0
        self.truths: dict[Term, bool] = {}
        self.path: tuple = ()
        self.values: dict[Term, int] = {}
        self.model = Values({})
        self.drops: tuple[tuple[int, int], ...] = ()
        self.jumps: tuple[int, ...] = ()
        self.redirect: tuple[str, Word, int] | None = None
        self.asked = 0
        self.written: dict[tuple, int] = {}
        self.stale: dict[tuple, int] = {}

    def copy(self) -> State:
        new = object.__new__(State)
        new.__dict__.update(self.__dict__)
        new.registers, new.truths, new.values = list(self.registers), dict(self.truths), dict(self.values)
        new.memory = {key: dict(content) for key, content in self.memory.items()}
        return new

    def assume(self, truth: Truth) -> None:
        """Assume a truth from here on."""
        if isinstance(truth, bool):
            return
        self.path = (self.path, truth)
        for part in (truth, *(truth.args if truth.op == "all" else ())):
            self.truths[part] = True
            self.truths[terms.opposite(part)] = False

    def given(self, truth: Truth, model: Values) -> State:
        """The state if a truth holds, as it does for these values."""
        new = self.copy()
        new.assume(truth)
        new.model = model
        return new

    def note(self, region: tuple, *what: object) -> None:
        """Add a write to a region's history."""
        self.written = {**self.written, region: history(self.written.get(region, 0), *what)}

    def forget_packet(self, *what: object) -> None:
        """Give all bytes of the packet unknown values, after this change."""
        self.note(PACKET, *what)
        self.moved, self.stale = self.written[PACKET], {**self.stale, PACKET: self.written[PACKET]}
        self.memory = {where: content for where, content in self.memory.items() if where[0] != PACKET}

    def conditions(self, hard: bool = True) -> list[Term]:
        """The assumptions without loose ones and, unless `hard`, without hard ones. Fewer conditions mean that more packets seem to come
        here than really do."""
        found, path = [], self.path
        while path:
            path, truth = path
            truth = truth if hard else terms.easier(truth)
            if isinstance(truth, Term) and not truth.loose:
                found.append(truth)
        return found[::-1]

    def holds(self, truth: Truth) -> bool:
        """Whether a truth holds; Split if that is unknown."""
        if isinstance(truth, bool):
            return truth
        found = self.truths.get(truth)
        if found is None:
            raise Split(truth)
        return found

    def constant(self, word: Word) -> int:
        """The value of a word; Split if there are several."""
        if isinstance(word, int):
            return word
        found = self.values.get(word)
        if found is None:
            raise Split(word)
        if found == ANY:
            raise Unsupported("an offset with too many values")
        return found


class Machine:
    """Executes an object's programs. `world` has what they haven't written; `helpers` are functions by their numbers (helpers.py), given
    this machine and the state; `stride` is the number of bytes of an element's drop counts, of which there are `slots`."""

    def __init__(self, code: Code, world: Any, helpers: Mapping[int, object], stride: int = 64, slots: int = 1):
        self.code, self.world, self.helpers, self.stride, self.slots = code, world, helpers, stride, slots
        #: What replaces functions of the object, and reads the context's fields (buffers.py).
        self.functions: Mapping[Place, object] = {}
        self.field = _field_of_xdp

    def step(self, state: State) -> bool:
        """Execute an instruction; False when the program has ended, with its result in register 0."""
        section, number = state.place
        at = self.code.sections[section][number]
        kind = at.code & 7
        state.count += 1
        if kind in (4, 7) and not at.offset and at.code != SWAP:
            self._compute(state, at, 64 if kind == 7 else 32)
        elif kind in (5, 6) and at.code != LONG_JUMP:
            return self._jump(state, at, 64 if kind == 5 else 32)
        elif at.code == WIDE:
            state.registers[at.to] = at.value
            state.place = Place(section, number + 2)
            return True
        elif kind == 1 and at.code >> 5 == 3:
            address = shifted(state.registers[at.source], at.offset)
            state.registers[at.to] = self.load(state, address, SIZES[at.code >> 3 & 3])
        elif at.code >> 5 == 6 and kind == 3:
            self._atomic(state, at)
        elif kind in (2, 3) and at.code >> 5 == 3:
            value = state.registers[at.source] if kind == 3 else at.value & _FULL
            self.store(state, shifted(state.registers[at.to], at.offset), SIZES[at.code >> 3 & 3], value)
        else:
            raise Unsupported(f"an instruction with the code {at.code:#x}")
        state.place = Place(section, number + 1)
        return True

    # -- memory -----------------------------------------------------------------------------------------------------

    def load(self, state: State, address: Pointer, size: int) -> Word | Pointer:
        """`size` bytes, the first the least significant, as a 64-bit word."""
        if not isinstance(address, Pointer):
            raise Unsupported("a load from no address")
        if address.region == CONTEXT and address.offset not in state.memory.get((CONTEXT, None), {}):
            return self.field(state, address.offset, size)
        known, base, offset = self._place(state, address, reads=True)
        parts = []
        for at in range(offset + size - 1, offset - 1, -1):
            byte = known.get(at)
            if byte is None:
                byte = known[at] = self.initial(state, (address.region, base), at)
            parts.append(byte)
        if isinstance(parts[0], tuple):
            pointer, _ = parts[0]
            if size == 8 and parts == [(pointer, place) for place in range(7, -1, -1)]:
                return pointer
            raise Unsupported("a load of a part of an address")
        if all(isinstance(part, int) for part in parts):
            return int.from_bytes(parts, "big")
        return terms.cat((64 - 8 * size, 0), *((8, part) for part in parts))

    def initial(self, state: State, where: tuple, offset: int) -> Word:
        """A byte that hasn't been written on this path, or that may have been written by another sum."""
        region, base = where
        version = state.moved if where == (PACKET, None) else state.stale.get(region, 0)
        if base is not None and state.written.get(region, 0) != version:
            content = state.memory.get((region, None), {}).items()
            if any(terms.may_be(base, at - offset) and byte != self.world.byte(region, None, at, version) for at, byte in content):
                version = state.written[region]
        return self.world.byte(*where, offset, version)

    def store(self, state: State, address: Pointer, size: int, value: Word | Pointer) -> None:
        if not isinstance(address, Pointer):
            raise Unsupported("a store to no address")
        if address.region == ("value", "drops"):
            entry, at = divmod(state.constant(address.offset), self.stride)
            state.drops = (*state.drops, (entry // self.slots, at // 8))
        if address.region == PACKET and state.values.get(address.offset) == ANY:
            return state.forget_packet(address.offset, size, value)
        known, base, offset = self._place(state, address)
        if address.region == PACKET or address.region[0] == "value":
            state.note(address.region, self.world.byte(address.region, base, offset, 1), size, value)
        if base is not None or any(key[0] == address.region and key[1] is not None for key in state.memory):
            self._forget_others(state, address.region, known)
        for place in range(size):
            byte = (value, place) if isinstance(value, Pointer) else terms.extract(8 * place + 7, 8 * place, value)
            known[offset + place] = byte

    def _place(self, state: State, address: Pointer, reads: bool = False) -> tuple[dict[int, object], Term | None, int]:
        """The bytes stored under an address's variable part, that part, and the constant offset."""
        region, offset = address
        base = None
        if isinstance(offset, Term):
            if region[0] == "value":
                parts, offset = offset.args if offset.op == "sum" else (((offset, 1),), 0)
                base = terms.total(64, parts)
                value = state.values.get(base)
                base, offset = (base, offset) if value in (None, ANY) else (None, offset + value)
            elif region == PACKET and state.values.get(offset) == ANY and reads:
                base, offset = offset, 0
            else:
                offset = state.constant(offset)
        offset = offset - (1 << 64) if offset >> 63 else offset
        return state.memory.setdefault((region, base), {}), base, offset

    def _forget_others(self, state: State, region: tuple, known: dict) -> None:
        state.memory = {key: content for key, content in state.memory.items() if key[0] != region or content is known}
        state.stale = {**state.stale, region: state.written[region]}

    def _atomic(self, state: State, at: Instruction) -> None:
        size = SIZES[at.code >> 3 & 3]
        address, operand = shifted(state.registers[at.to], at.offset), state.registers[at.source]
        before = self.load(state, address, size)
        width = 8 * size
        if at.value == 0xF1:  # compare and exchange
            same = state.holds(terms.equal(terms.extract(width - 1, 0, before), terms.extract(width - 1, 0, state.registers[0])))
            if same:
                self.store(state, address, size, operand)
            state.registers[0] = before
            return
        if at.value == 0xE1:
            after = operand
        elif at.value & ~1 in (0x00, 0x40, 0x50, 0xA0):  # with the codes of the arithmetic operations
            after = compute(at.value >> 4, width, terms.extract(width - 1, 0, before), terms.extract(width - 1, 0, operand))
        else:
            raise Unsupported(f"an atomic operation {at.value:#x}")
        self.store(state, address, size, terms.extend(64, after, width) if width < 64 else after)
        if at.value & 1:
            state.registers[at.source] = before

    # -- arithmetic -------------------------------------------------------------------------------------------------

    def _compute(self, state: State, at: Instruction, width: int) -> None:
        operation, registers = at.code >> 4, state.registers
        by_register = bool(at.code & 8)
        if operation == 13:  # to little or big endian: at.value bits
            word = terms.extract(at.value - 1, 0, registers[at.to])
            registers[at.to] = terms.extend(64, terms.swap(at.value, word) if by_register else word, at.value)
            return
        a, b = registers[at.to], registers[at.source] if by_register else at.value & _FULL
        if operation == 11 and (width == 64 or not isinstance(b, Pointer)):
            registers[at.to] = b if width == 64 else terms.extend(64, terms.extract(31, 0, b), 32)
        elif isinstance(a, Pointer) or isinstance(b, Pointer):
            registers[at.to] = _of_addresses(operation, width, a, b)
        elif width == 64:
            registers[at.to] = compute(operation, 64, a, b)
        else:
            result = compute(operation, 32, terms.extract(31, 0, a), terms.extract(31, 0, b) if operation != 8 else 0)
            registers[at.to] = terms.extend(64, result, 32)

    # -- jumps ------------------------------------------------------------------------------------------------------

    def _jump(self, state: State, at: Instruction, width: int) -> bool:
        section, number = state.place
        operation = at.code >> 4
        if at.code == CALLS:
            return self._call(state, at)
        if operation == 9:
            return self._return(state)
        b = state.registers[at.source] if at.code & 8 else at.value & _FULL
        taken = operation == 0 or state.holds(compare(operation, width, state.registers[at.to], b))
        state.place = Place(section, number + 1 + (at.offset if taken else 0))
        return True

    def _call(self, state: State, at: Instruction) -> bool:
        section, number = state.place
        if at.source == PSEUDO_CALL and at.value not in self.functions:
            state.calls = (*state.calls, (Place(section, number + 1), [state.registers[n] for n in (*KEPT, STACK)]))
            frame = ("stack", len(state.calls))
            state.memory.pop((frame, None), None)
            state.registers[STACK] = Pointer(frame, STACK_SIZE)
            state.place = at.value
            return True
        known = self.functions if at.source == PSEUDO_CALL else self.helpers if not at.source else {}
        if at.value not in known:
            raise Unsupported(f"a call of the kernel's function {at.value}")
        state.registers[0] = known[at.value](self, state, *state.registers[1:6])
        if state.place == Place(section, number):
            state.place = Place(section, number + 1)
        return True

    def _return(self, state: State) -> bool:
        if not state.calls:
            return False
        *earlier, (state.place, kept) = state.calls
        state.calls = tuple(earlier)
        for number, value in zip((*KEPT, STACK), kept):
            state.registers[number] = value
        return True

    def ends(self, state: State) -> bool:
        """Whether the program's next instruction is its last."""
        return not state.calls and self.code.sections[state.place.section][state.place.number].code == EXIT

    def enter(self, state: State, program: Place) -> None:
        """Continue with another program, as by a tail call. It takes the place of the function that called it, and returns to that
        function's caller."""
        frame = ("stack", len(state.calls))
        state.memory.pop((frame, None), None)
        state.place = program
        state.registers = [None, Pointer(CONTEXT, 0), *[None] * 8, Pointer(frame, STACK_SIZE)]


_FULL = (1 << 64) - 1
#: The size of an access in bytes, by the two size bits of its code.
SIZES = (4, 2, 1, 8)
_AND, _OR, _XOR = (partial(terms.bitwise, name) for name in ("and", "or", "xor"))
_OPERATIONS = {0: terms.add, 1: terms.subtract, 2: terms.multiply, 4: _OR, 5: _AND, 10: _XOR}
#: Comparisons by the upper half of a jump's code: whether signed, with the operands exchanged, or negated.
_COMPARISONS = {
    2: (False, True, False), 3: (False, False, True), 10: (False, False, False), 11: (False, True, True),
    6: (True, True, False), 7: (True, False, True), 12: (True, False, False), 13: (True, True, True),
}  # fmt: skip


def _field_of_xdp(state: State, offset: int, _size: int) -> Word | Pointer:
    """A field of struct xdp_md: data, data_end or data_meta; interface and receive queue have index 0."""
    return Pointer(PACKET, state.end if offset == 4 else state.head & _FULL) if offset < 12 else 0


def shifted(address: Pointer, by: int) -> Pointer:
    return address._replace(offset=terms.add(64, address.offset, by & _FULL)) if by else address


def compute(operation: int, width: int, a: Word, b: Word) -> Word:
    """An arithmetic operation by the upper half of its code."""
    match operation:
        case 3 | 9:
            return terms.divide("udiv" if operation == 3 else "urem", width, a, b)
        case 6 | 7 | 12:
            return terms.shift({6: "shl", 7: "shr", 12: "sar"}[operation], width, a, b)
        case 8:
            return terms.subtract(width, 0, a)
    if operation not in _OPERATIONS:
        raise Unsupported(f"the arithmetic operation {operation}")
    return _OPERATIONS[operation](width, a, b)


def _of_addresses(operation: int, width: int, a: Word | Pointer, b: Word | Pointer) -> Word | Pointer:
    if width == 64 and operation == 0:
        address, by = (a, b) if isinstance(a, Pointer) else (b, a)
        if not isinstance(by, Pointer):
            return address._replace(offset=terms.add(64, address.offset, by))
    if width == 64 and operation == 1 and isinstance(a, Pointer):
        if not isinstance(b, Pointer):
            return a._replace(offset=terms.subtract(64, a.offset, b))
        if a.region == b.region:
            return terms.subtract(64, a.offset, b.offset)
    if operation == 1 and width == 32 and isinstance(a, Pointer) and isinstance(b, Pointer) and a.region == b.region:
        return terms.extend(64, terms.extract(31, 0, terms.subtract(64, a.offset, b.offset)), 32)
    raise Unsupported("arithmetic with addresses")


def compare(operation: int, width: int, a: Word | Pointer, b: Word | Pointer) -> Truth:
    """The condition of a jump by the upper half of its code."""
    if isinstance(a, Pointer) or isinstance(b, Pointer):
        return _compare_addresses(operation, a, b)
    if width == 32:
        a, b = terms.extract(31, 0, a), terms.extract(31, 0, b)
    if operation in (1, 4, 5):  # equal, any bit in common, not equal
        same = terms.equal(_AND(width, a, b), 0) if operation == 4 else terms.equal(a, b)
        return same if operation == 1 else terms.opposite(same)
    if operation not in _COMPARISONS:
        raise Unsupported(f"the comparison {operation}")
    signed, exchanged, negated = _COMPARISONS[operation]
    a, b = (b, a) if exchanged else (a, b)
    truth = terms.below_signed(width, a, b) if signed else terms.below(a, b)
    return terms.opposite(truth) if negated else truth


def _compare_addresses(operation: int, a: Word | Pointer, b: Word | Pointer) -> Truth:
    if isinstance(a, Pointer) and isinstance(b, Pointer) and a.region == b.region:
        return compare(operation, 64, terms.add(64, a.offset, BIAS), terms.add(64, b.offset, BIAS))
    other = b if isinstance(a, Pointer) else a
    if other == 0 and operation in (1, 5):
        return operation == 5
    raise Unsupported("a comparison of addresses")
