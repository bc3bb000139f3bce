"""Merges paths that meet again; otherwise their number would double with every branch of a program.

Instructions are executed in the order of the program's text, as far as loops permit, so all paths to an instruction have arrived before the
first continues. A value that differs between them becomes a choice by the paths' conditions (state merging: Kuznetsov, Kinder, Bucur and
Candea, PLDI'12).
"""

from __future__ import annotations

import heapq
from bisect import bisect_right
from collections import Counter
from collections.abc import Container, Sequence
from functools import cached_property
from itertools import count

from clickbpf.prove import terms
from clickbpf.prove.code import CALLS, WIDE, Code, Instruction, Place, Pointer
from clickbpf.prove.machine import EXIT, SIZES, STACK, STACK_SIZE, Machine, State
from clickbpf.prove.values import Term, Word, history

ALWAYS = 0x05
#: Helpers without side effects: times, random numbers, the CPU's number.
HARMLESS = frozenset({5, 7, 8, 118, 125, 160, 208})
#: The numbers of arguments of helpers with fewer than five.
ARGUMENTS = {**dict.fromkeys(HARMLESS, 0), 1: 2, 12: 3, 44: 2, 51: 3, 65: 2, 131: 3, 132: 2, 189: 4}
#: Stands for bytes that belong to an address on one path and to something else on another; nothing reads them.
LOST = (Pointer(("lost",), 0), -1)


class Flow:
    """The order of instructions, and the instructions where paths meet."""

    def __init__(self, code: Code):
        self._code = code
        self._starts = {section: sorted({p.number for p in code.programs.values() if p.section == section}) for section in code.sections}
        self._functions: dict[tuple[str, int], Function] = {}

    def _function(self, place: Place) -> Function:
        starts = self._starts[place.section]
        at = bisect_right(starts, place.number)
        found = self._functions.get((place.section, at))
        if found is None:
            code = self._code.sections[place.section]
            found = Function(code, starts[at - 1], starts[at] if at < len(starts) else len(code))
            self._functions[place.section, at] = found
        return found

    def meets(self, place: Place) -> bool:
        """Whether several paths lead to an instruction."""
        return place.number in self._function(place).joins

    def order(self, state: State) -> tuple[int, ...]:
        """A sort key for states: a state that may still meet another one further on comes before that one."""
        places = (*(place for place, _ in state.calls), state.place)
        return (len(state.jumps), *(self._function(place).rank.get(place.number, 0) for place in places))

    def shape(self, state: State) -> tuple:
        """The regions of addresses that are still live in registers and on the stack; states with the same shape can be merged."""
        live = self._function(state.place).live[state.place.number]
        stack = state.memory.get((("stack", len(state.calls)), None), {})
        held = ((at, state.registers[at] if at >= 0 else stack.get(STACK_SIZE + at)) for at in sorted(live))
        found = ((at, value[0] if isinstance(value, tuple) and at < 0 else value) for at, value in held)
        return tuple((at, value.region) for at, value in found if isinstance(value, Pointer))


class Function:
    """A function's instructions: `rank` is their order; `joins` are those with several paths to them, including the first (tail calls)."""

    def __init__(self, code: Sequence[Instruction | None], start: int, end: int):
        self._code = code
        self._after = {number: _next(code[number], number) for number in range(start, end) if code[number] is not None}
        self._order = _backwards(self._after, start)
        self.rank = {number: -place for place, number in enumerate(self._order)}
        found = Counter(following for number in self._order for following in self._after[number])
        self.joins = {start, *(number for number, before in found.items() if before > 1)}

    @cached_property
    def live(self) -> dict[int, frozenset[int]]:
        """The registers, and the bytes of the stack (by negative offset), that may be read before they are written."""
        found: dict[int, frozenset[int]] = dict.fromkeys(self._order, frozenset())
        changed = True
        while changed:
            changed = False
            for number in self._order:
                after = frozenset().union(*(found[following] for following in self._after[number]))
                read, written = _accesses(self._code[number])
                before = after - written | read
                if before != found[number]:
                    found[number], changed = before, True
        return found


def _accesses(at: Instruction) -> tuple[frozenset[int], frozenset[int]]:
    """The registers and bytes of the stack that an instruction reads, and those that it writes."""
    kind, operation, by_register = at.code & 7, at.code >> 4, bool(at.code & 8)
    if at.code == CALLS:
        return frozenset(range(1, 1 + (5 if at.source else ARGUMENTS.get(at.value, 5)))), frozenset(range(6))
    if at.code == EXIT:
        return frozenset({0}), frozenset()
    if kind in (4, 7):
        return frozenset({at.to} - ({at.to} if operation == 11 else set()) | ({at.source} if by_register else set())), frozenset({at.to})
    if kind in (5, 6):
        return frozenset({at.to, at.source} if by_register else {at.to}), frozenset()
    if at.code == WIDE:
        return frozenset(), frozenset({at.to})
    if kind == 1:
        return frozenset({at.offset} if at.source == STACK else {at.source}), frozenset({at.to})
    if kind == 3 and at.to == STACK and at.code >> 5 == 3:
        return frozenset({at.source}), frozenset({at.offset} if SIZES[at.code >> 3 & 3] == 8 else ())
    return frozenset({0, at.to, at.source}), frozenset()


def _next(at: Instruction, number: int) -> tuple[int, ...]:
    kind = at.code & 7
    if at.code == EXIT:
        return ()
    if kind not in (5, 6) or at.code == CALLS:
        return (number + (2 if at.code == WIDE else 1),)
    return (number + 1 + at.offset,) if at.code == ALWAYS else (number + 1, number + 1 + at.offset)


def _backwards(after: dict[int, tuple[int, ...]], start: int) -> list[int]:
    """The reachable instructions in postorder: except in loops, each comes after its successors."""
    order, seen, pending = [], {start}, [(start, iter(after[start]))]
    while pending:
        number, rest = pending[-1]
        following = next((n for n in rest if n not in seen), None)
        if following is None:
            order.append(number)
            pending.pop()
        else:
            seen.add(following)
            pending.append((following, iter(after[following])))
    return order


class Pending:
    """States that wait for others to arrive at the same instruction."""

    def __init__(self, flow: Flow, machine: Machine):
        self._flow, self._machine = flow, machine
        self._order: list[tuple[tuple, int, tuple]] = []
        self._states: dict[tuple, list[State]] = {}
        #: States that continue before all others.
        self.next: list[State] = []
        self._numbers = count()

    @property
    def waits(self) -> bool:
        return bool(self._states or self.next)

    def put(self, state: State) -> None:
        key = (state.place, tuple(place for place, _ in state.calls), len(state.jumps))
        if key not in self._states:
            heapq.heappush(self._order, (self._flow.order(state), next(self._numbers), key))
        self._states.setdefault(key, []).append(state)

    def take(self) -> State | None:
        """The next state to continue."""
        if not self.next and self._order:
            _, _, key = heapq.heappop(self._order)
            self.next = merged(self._states.pop(key), self._machine, self._flow)
        return self.next.pop() if self.next else None


def merged(arrived: Sequence[State], machine: Machine, flow: Flow) -> list[State]:
    """The arrived states, merged as far as possible."""
    groups: dict[tuple, list[State]] = {}
    for state in arrived:
        result = state.registers[0] if machine.ends(state) and isinstance(state.registers[0], int) else None
        frames = tuple((place, *map(id, kept)) for place, kept in state.calls)
        ends = state.head, state.arrived, state.moved, state.end, state.drops, state.redirect, frames, result
        groups.setdefault((*ends, flow.shape(state)), []).append(state)
    return [states[0] if len(states) == 1 else _one(states, machine) for states in groups.values()]


def _one(states: Sequence[State], machine: Machine) -> State:
    """Merge several states into one."""
    before, conditions = _parted(states)
    made = states[0].copy()
    for number, values in enumerate(zip(*(state.registers for state in states))):
        made.registers[number] = _register(conditions, values)
    for key in {key: None for state in states for key in state.memory}:
        contents = [state.memory.get(key, {}) for state in states]
        content = made.memory[key] = {}
        for offset in {offset: None for each in contents for offset in each}:
            values = [each[offset] if offset in each else machine.initial(s, key, offset) for s, each in zip(states, contents)]
            content[offset] = values[0] if all(v is values[0] or v == values[0] for v in values) else _byte(conditions, values)
    made.path, made.count, made.asked = before, max(s.count for s in states), max(s.asked for s in states)
    made.truths = {k: v for k, v in made.truths.items() if all(s.truths.get(k) == v for s in states)}
    made.values = {k: v for k, v in made.values.items() if all(s.values.get(k) == v for s in states)}
    made.stale, made.written = (_versions(conditions, each) for each in ([s.stale for s in states], [s.written for s in states]))
    made.assume(terms.any_of(conditions))
    return made


def joined(states: Sequence[State], machine: Machine, kept: Container[tuple]) -> State:
    """States at their programs' ends as one, with only these regions of memory."""
    ended = [state.copy() for state in states]
    for state in ended:
        state.registers, state.memory = [None] * 11, {key: content for key, content in state.memory.items() if key[0] in kept}
    return ended[0] if len(ended) == 1 else _one(ended, machine)


def _versions(conditions: Sequence, given: Sequence[dict[tuple, int]]) -> dict[tuple, int]:
    """The histories of the regions: where they differ between the paths, which happened depends on the conditions."""
    found = {region: tuple(each.get(region, 0) for each in given) for versions in given for region in versions}
    return {region: of[0] if len(set(of)) == 1 else history(tuple(conditions), of) for region, of in found.items()}


def _parted(states: Sequence[State]) -> tuple[tuple, list[Term | bool]]:
    """The common assumptions before the paths separated, and each path's assumptions since."""
    paths = []
    for state in states:
        path, found = state.path, []
        while path:
            found.append(path)
            path = path[0]
        paths.append(found[::-1])
    same = 0
    while all(len(path) > same and path[same] is paths[0][same] for path in paths):
        same += 1
    before = paths[0][same - 1] if same else ()
    return before, [terms.all_of(truth for _, truth in path[same:]) for path in paths]


def _register(conditions: Sequence, values: Sequence) -> Word | Pointer | None:
    first = values[0]
    if all(value is first or value == first for value in values):
        return first
    if isinstance(first, Pointer) and all(isinstance(value, Pointer) and value.region == first.region for value in values):
        return Pointer(first.region, _chosen(conditions, [value.offset for value in values], 64))
    if any(value is None or isinstance(value, Pointer) for value in values):
        return None
    return _chosen(conditions, values, 64)


def _byte(conditions: Sequence, values: Sequence) -> object:
    if not any(isinstance(value, tuple) for value in values):
        return _chosen(conditions, values, 8)
    if not all(isinstance(value, tuple) for value in values) or len({(address.region, place) for address, place in values}) > 1:
        return LOST
    (address, place), *_ = values
    return Pointer(address.region, _chosen(conditions, [address.offset for address, _ in values], 64)), place


def _chosen(conditions: Sequence, values: Sequence[Word], width: int) -> Word:
    found = values[-1]
    for condition, value in zip(conditions[-2::-1], values[-2::-1]):
        found = terms.choose(condition, width, value, found)
    return found
