"""All ways through a router's programs, from a device's packet to its end."""

import sys
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from enum import Enum
from types import MappingProxyType

from clickbpf.compile import Compilation
from clickbpf.prove import terms
from clickbpf.prove.code import Code, Pointer
from clickbpf.prove.evaluation import Values
from clickbpf.prove.frames import IP6, Frame
from clickbpf.prove.helpers import BROADCAST, Helpers
from clickbpf.prove.machine import ANY, PACKET, REDIRECT, Machine, Split, State, Unsupported
from clickbpf.prove.meeting import Flow, Pending
from clickbpf.prove.settings import initial_settings
from clickbpf.prove.solver import Solver, Undecided
from clickbpf.prove.values import Term, Truth, Word, bounds, variable, within
from clickbpf.prove.worlds import Any
from clickbpf.vocabulary.drops import REASONS
from clickbpf.vocabulary.traits import SELDOM

#: Shortest and longest frame: an Ethernet header, and what a page has room for beside XDP's headroom.
SHORTEST, LONGEST = 14, 3520
#: Calls of Python within each other: terms are nested as deeply as a packet's way has choices.
DEEPEST = 20_000
#: Per-thread values; the CPU that runs has the first.
SLOTS = 16
#: Bounds of one way through the programs, in instructions, and of the values that an offset has there.
MOST_INSTRUCTIONS, MOST_VALUES = 100_000, 16
#: Results of XDP programs.
DROP, PASS = 1, 2


class Fate(Enum):
    """How a packet's way through the kernel path ends: those that say most about a router first."""

    SENT = "sent"
    HOST = "to Linux"
    DROPPED = "dropped"
    HANDED = "handed over"
    ANSWERED = "answered"
    ABORTED = "aborted"
    OPEN = "open"


@dataclass
class End:
    """One way through the programs. `devices` are those it is sent by; `element` is where it is handed over, or answered; `reasons` are
    (element, reason) of the drops that it counts. `state` has the conditions under which packets go this way, and what becomes of them."""

    fate: Fate
    state: State
    devices: tuple[str, ...] = ()
    element: str = ""
    port: int = 0
    reasons: tuple[tuple[str, str], ...] = ()
    why: str = ""

    def byte(self, place: int, world: Any) -> Word:
        """A byte of the frame, counted from its start as it leaves."""
        at = self.state.head + place
        found = self.state.memory.get((PACKET, None), {}).get(at)
        return world.byte(PACKET, None, at) if found is None else found

    def written(self, world: Any) -> list[int]:
        """The places, counted from the frame's start as it leaves, whose bytes are perhaps others than before."""
        content, head = self.state.memory.get((PACKET, None), {}), self.state.head
        return [at - head for at, byte in content.items() if at >= head and byte is not world.byte(PACKET, None, at)]

    def text(self) -> str:
        where = {
            Fate.SENT: " on " + ", ".join(self.devices),
            Fate.HANDED: f" at {self.element}",
            Fate.ANSWERED: f" by {self.element}",
            Fate.OPEN: f" ({self.why})",
        }.get(self.fate, "")
        return self.fate.value + where + "".join(f", {reason} at {element}" for element, reason in self.reasons)


class Drops(Machine):
    """Notes which drops are counted."""

    #: Bytes of an element's drops.
    stride = 64

    def dropped(self, state: State, address: Pointer) -> None:
        entry, at = divmod(state.constant(address.offset), self.stride)
        state.drops = (*state.drops, (entry // SLOTS, at // 8))


class Explorer:
    """The ways of packets through the kernel path of a compilation. Elements that answer packets by others of the router's own
    (SELDOM), which are programs of their own, end them. `tables` are contents that states of elements have (worlds.py)."""

    def __init__(self, made: Compilation, tables: Mapping[str, bytes] = MappingProxyType({}), longest: int = LONGEST):
        sys.setrecursionlimit(max(sys.getrecursionlimit(), DEEPEST))
        self.made, manifest = made, made.manifest
        self.code = Code.of(made.build_bpf().read_bytes())
        fixed = {".rodata": self._constants(), **initial_settings(made)}
        self.tables = tables
        self.world = Any(manifest, fixed, SHORTEST, longest, tables)
        helpers = Helpers(self.code, manifest, SLOTS)
        self.machine = Drops(self.code, self.world, helpers.table())
        self.machine.stride = manifest.of_role("drops")[0].stride
        self.flow = Flow(self.code)
        self.solver = Solver()
        self.names = [element.name for element in manifest.elements]
        self.roles = {entry.name: entry.role for entry in manifest.maps}
        self.copies = {entry.name: devices for entry, devices in zip(manifest.of_role("copies"), manifest.copy_sets)}
        instances = made.checked.instances
        self.answers = {p.jump: p.element for p in manifest.programs if p.jump is not None and SELDOM in instances[p.element].traits}

    @property
    def before(self) -> Frame:
        """A packet as it arrives."""
        return Frame(lambda place: self.world.byte(PACKET, None, place), self.world.length)

    def after(self, end: End) -> Frame:
        """The packet as it leaves."""
        length = terms.subtract(64, end.state.end, end.state.head & (1 << 64) - 1)
        return Frame(lambda place: end.byte(place, self.world), length)

    def possible(self, truth: Truth, *ends: End) -> Values | None:
        """Values of a packet, and of tables, that goes all these ways and of which a truth holds; Undecided if the solver gives up."""
        ways = [condition for end in ends for condition in end.state.conditions()]
        easy_ways = [condition for end in ends for condition in end.state.conditions(hard=False)]
        if len(ends) > 1 and self.solver.once([*easy_ways, terms.easier(truth)]) is None:
            return None
        for case in terms.cases(truth):
            if self.solver.once([*easy_ways, terms.easier(case)]) is None:
                continue
            conditions = [each for each in (*ways, case) if each is not True]
            if case is False or (any(each.hard for each in conditions) and self.solver.excludes(conditions)):
                continue
            found = self.solver.once(conditions)
            if found is not None:
                return Values(found)
        return None

    def _constants(self) -> Mapping[int, Word]:
        """Global constants as the loader sets them. The devices have any addresses, none of them a group's."""
        content: dict[int, Word] = dict(enumerate(self.code.data.get(".rodata", b"")))
        places = self.code.constants
        if "slots" in places:
            content |= dict(enumerate(SLOTS.to_bytes(4, "little"), places["slots"]))
        if "device_mac" in places:
            for number, device in enumerate(self.made.devices):
                for at in range(6):
                    byte = variable(f"address of {device}[{at}]", 8)
                    individual = terms.cat((7, variable(f"address of {device}[0]", 7)), (1, 0))
                    content[places["device_mac"] + 8 * number + at] = byte if at else individual
        return content

    def ends(self, device: str) -> Iterator[End]:
        """All ways of packets that arrive on a device; but for IPv6 with extension headers."""
        program = next(p for p in self.made.manifest.programs if p.device == device)
        begin = State(self.code.programs[program.name], self.world.length)
        begin.assume(within(variable("length", 16, *bounds(self.world.length))))
        begin.assume(without_extensions(self.before))
        begin.model = self._model(begin)
        pending = Pending(self.flow, self.machine)
        if begin.model is not None:
            pending.put(begin)
        while state := pending.take():
            try:
                found = self._run(state, pending)
                if found is not None:
                    yield found
            except Split as split:
                state.count -= 1
                try:
                    passed = split.what.width == 0 and split.what.loose and self.flow.pass_over(state)
                    pending.next += [state] if passed else self._outcomes(state, split.what)
                except (Undecided, Unsupported) as error:
                    yield End(Fate.OPEN, state, why=str(error))
            except Unsupported as error:
                yield End(Fate.OPEN, state, why=str(error))

    def _run(self, state: State, pending: Pending) -> End | None:
        """Go on to the end, or to where others may come, too."""
        step, machine = self.machine.step, self.machine
        while step(state):
            if pending.waits and self.flow.meets(state.place):
                pending.put(state)
                return None
            if state.jumps and state.jumps[-1] in self.answers:
                return End(Fate.ANSWERED, state, element=self.answers[state.jumps[-1]])
            if state.redirect is not None and self.roles[state.redirect[0]] == "xsk":
                return self._handed(state)
            if state.count > MOST_INSTRUCTIONS:
                raise Unsupported(f"more than {MOST_INSTRUCTIONS} instructions")
        return self._end(machine, state)

    def _end(self, machine: Machine, state: State) -> End:
        result = state.constant(terms.extract(31, 0, state.registers[0]))
        reasons = tuple((self.names[element], list(REASONS)[reason]) for element, reason in state.drops)
        if result != REDIRECT:
            fate = {DROP: Fate.DROPPED, PASS: Fate.HOST}.get(result, Fate.ABORTED)
            return End(fate, state, reasons=reasons)
        table, key, flags = state.redirect
        devices = self.copies[table] if flags & BROADCAST else (self.made.devices[state.constant(key)],)
        return End(Fate.SENT, state, devices=tuple(devices), reasons=reasons)

    def _handed(self, state: State) -> End:
        """Whether the runtime takes it is for the runtime to say: its record (bpf/handover.h) says where it goes on."""
        head = Pointer(PACKET, (state.head + 4) & (1 << 64) - 1)
        word = state.constant(self.machine.load(state, head, 4))
        return End(Fate.HANDED, state, element=self.names[word & 0xFFFF], port=word >> 16 & 0xFF)

    # -- what may be ------------------------------------------------------------------------------------------------

    def _model(self, state: State, *more: Term) -> Values | None:
        """Values for which what isn't hard holds: a way that is left may be impossible, which is found out when it matters."""
        found = self.solver.model(state.conditions(hard=False), *more)
        return None if found is None else Values(found)

    def _outcomes(self, state: State, what: Term) -> list[State]:
        """A state for each outcome that is possible."""
        if what.width:
            return self._valued(state, what)
        made = []
        for truth in (what, terms.opposite(what)):
            model = state.model if what.loose or what.hard or state.model[truth] else self._model(state, truth)
            if model is not None:
                new = state.copy()
                new.assume(truth)
                new.model = model
                made.append(new)
        return made

    def _with(self, state: State, word: Term, value: int) -> list[State]:
        """The state with that value of a word, if it is possible."""
        truth = terms.equal(word, value)
        hard = isinstance(truth, Term) and truth.hard
        model = state.model if hard or state.model[word] == value else self._model(state, *((truth,) if isinstance(truth, Term) else ()))
        if truth is False or model is None:
            return []
        new = state.copy()
        new.assume(truth)
        new.values[word], new.model = value, model
        return [new]

    def _valued(self, state: State, word: Term) -> list[State]:
        known = terms.leaves(word, MOST_VALUES)
        if known is not None:
            return [way for value in known for way in self._with(state, word, value)]
        made, model, others = [], state.model, []
        while model is not None:
            value = model[word]
            new = state.copy()
            new.assume(terms.equal(word, value))
            new.values[word], new.model = value, model
            made.append(new)
            if len(made) > MOST_VALUES:
                new = state.copy()
                new.values[word] = ANY
                return [new]
            others.append(terms.opposite(terms.equal(word, value)))
            model = self._model(state, *(other for other in others if isinstance(other, Term)))
        return made


#: Next headers that are extension headers of IPv6 (RFC 7045).
EXTENSIONS = (0, 43, 44, 50, 51, 60, 135, 139, 140, 253, 254)


def without_extensions(frame: Frame) -> Truth:
    """That a frame isn't IPv6 with extension headers."""
    following = frame.byte(20)
    return terms.any_of((terms.opposite(frame.is_type(IP6)), terms.all_of(terms.opposite(terms.equal(following, n)) for n in EXTENSIONS)))


def device_names(made: Compilation) -> tuple[str, ...]:
    """The devices whose packets have a program."""
    return tuple(program.device for program in made.manifest.programs if program.device is not None)
