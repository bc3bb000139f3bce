"""All paths through a router's programs, from a packet's arrival on a device to its end."""

import re
import sys
from collections.abc import Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass
from enum import Enum
from functools import partial
from pathlib import Path
from types import MappingProxyType

from clickbpf.compile import Compilation
from clickbpf.objects.hooks import TC
from clickbpf.prove import buffers, terms
from clickbpf.prove.code import Code, Pointer
from clickbpf.prove.evaluation import Values
from clickbpf.prove.frames import IP6, Frame
from clickbpf.prove.helpers import BROADCAST, Helpers
from clickbpf.prove.machine import ANY, PACKET, REDIRECT, Machine, Split, State, Unsupported
from clickbpf.prove.merging import Flow, Pending
from clickbpf.prove.settings import initial_settings
from clickbpf.prove.solver import PATIENCE, QUICK, Solver, Undecided
from clickbpf.prove.values import Term, Truth, Word, bounds, variable, within
from clickbpf.prove.worlds import Any
from clickbpf.vocabulary.drops import REASONS
from clickbpf.vocabulary.traits import SELDOM

#: Shortest and longest frame: an Ethernet header, and the room in a page beside XDP's headroom.
SHORTEST, LONGEST = 14, 3520
#: Python's recursion limit: terms are nested as deeply as a path has branches.
DEEPEST = 20_000
#: The number of slots of per-thread state; the executing CPU has the first.
SLOTS = 16
#: The most instructions of one path, and the most values of an offset there.
MOST_INSTRUCTIONS, MOST_VALUES = 100_000, 16


class Fate(Enum):
    """A packet's fate at the end of the kernel path; the most telling ones come first."""

    SENT = "sent"
    LOOP = "in a loop"
    HOST = "to Linux"
    DROPPED = "dropped"
    HANDED = "handed over"
    ANSWERED = "answered"
    ABORTED = "aborted"
    OPEN = "open"


#: Results of XDP programs that don't send the packet.
RESULTS = {0: Fate.ABORTED, 1: Fate.DROPPED, 2: Fate.HOST}
TC_RESULTS = {0: Fate.HOST, 2: Fate.DROPPED, (1 << 32) - 1: Fate.HOST}


@dataclass(eq=False)
class End:
    """The end of one path through the programs. `devices` are those by which the packet is sent; `element` is the one that hands it over or
    answers it; `reasons` are (element, reason) of the drops counted. `state` has the conditions for the path and the resulting packet. In a
    network (network.py), `way` has the devices at which the packet has arrived."""

    fate: Fate
    state: State
    devices: tuple[str, ...] = ()
    element: str = ""
    port: int = 0
    reasons: tuple[tuple[str, str], ...] = ()
    why: str = ""
    way: tuple[str, ...] = ()

    def byte(self, place: int, world: Any) -> Word:
        """A byte of the resulting frame, counted from its start."""
        at = self.state.head + place
        found = self.state.memory.get((PACKET, None), {}).get(at)
        return world.byte(PACKET, None, at, self.state.moved) if found is None else found

    def written(self, world: Any) -> list[int]:
        """The offsets in the resulting frame whose bytes may have changed."""
        content, head = self.state.memory.get((PACKET, None), {}), self.state.head
        return [at - head for at, byte in content.items() if at >= head and byte is not world.byte(PACKET, None, at)]

    def text(self) -> str:
        where = {
            Fate.SENT: " on " + ", ".join(self.devices),
            Fate.LOOP: " by way of " + ", ".join(self.way),
            Fate.HANDED: f" at {self.element}",
            Fate.ANSWERED: f" by {self.element}",
            Fate.OPEN: f" ({self.why})",
        }.get(self.fate, "")
        return self.fate.value + where + "".join(f", {reason} at {element}" for element, reason in self.reasons)


class Explorer:
    """The paths of packets through the kernel path of a compilation. They end at elements that answer with packets of their own (SELDOM),
    which are separate programs. `tables` are known contents of elements' state (worlds.py). `name` is the router's in a network: then
    `devices` and elements have names such as A.eth0 and A/ttl. `entries` are the first instructions for packets, by device."""

    def __init__(self, made: Compilation, tables: Mapping[str, bytes] = MappingProxyType({}), name: str = ""):
        sys.setrecursionlimit(max(sys.getrecursionlimit(), DEEPEST))
        self.made, manifest, self.name, self.running = made, made.manifest, name, None
        #: What the names of elements begin with.
        self.own = f"{name}/" if name else ""
        self.devices = tuple(map(self.named, made.devices))
        self.code = Code.of(made.build_bpf().read_bytes())
        self.tables = tables
        self.world = Any(manifest, initial_settings(made), SHORTEST, LONGEST, {**tables, ".rodata": self._constants()}, self.own)
        #: A packet as it arrives.
        self.before = Frame(lambda place: self.world.byte(PACKET, None, place), self.world.length)
        helpers, counts = Helpers(self.code, manifest, SLOTS).table(), manifest.of_role("drops")[0]
        self.machine = Machine(self.code, self.world, helpers, counts.stride, SLOTS)
        self.on_tc = made.options.hook == TC
        if self.on_tc:
            buffers.prepare(self.machine, len(self.devices), manifest.of_role("tx")[0].stride or 1 << 16)
        self.flow = Flow(self.code)
        self.solver = Solver()
        self.names = [f"{self.own}{element.name}" for element in manifest.elements]
        self.roles = {entry.name: entry.role for entry in manifest.maps}
        copies = zip(manifest.of_role("copies"), manifest.copy_sets)
        self.copies = {entry.name: tuple(self.devices[index] for index in indices) for entry, indices in copies}
        self.entries = {self.named(p.device): self.code.programs[p.name] for p in manifest.programs if p.device in made.devices}
        self.asks_cpu = any("this_processor()" in Path(each).read_text() for each in re.findall(r'#include "(/.+)"', made.bpf_text))
        instances = made.checked.instances
        seldom = (p for p in manifest.programs if p.jump is not None and SELDOM in instances[p.element].traits)
        self.answers = {p.jump: f"{self.own}{p.element}" for p in seldom}

    def named(self, device: str) -> str:
        """A device's name in the network."""
        return f"{self.name}.{device}" if self.name else device

    def after(self, end: End) -> Frame:
        """The packet as it leaves."""
        length = terms.subtract(64, end.state.end, end.state.head & (1 << 64) - 1)
        return Frame(lambda place: end.byte(place, self.world), length)

    def possible(self, truth: Truth, *ends: End) -> Values | None:
        """Values of a packet and of tables for which a truth holds and the packet takes all these paths; None if there are none, Undecided
        if the solver gives up."""
        ways = [condition for end in ends for condition in end.state.conditions()]
        easy_ways = [condition for end in ends for condition in end.state.conditions(hard=False)]
        if len(ends) > 1 and self.solver.once([*easy_ways, terms.easier(truth)]) is None:
            return None
        for case in terms.cases(truth):
            if self.solver.once([*easy_ways, terms.easier(case)]) is None:
                continue
            conditions = [each for each in (*ways, case) if each is not True]
            found = None if case is False else self._values(conditions)
            if found is not None:
                return Values(found)
        return None

    def _values(self, conditions: Sequence[Term]) -> dict[str, int] | None:
        """Values of the variables, by the solver's two ways in turn, first with less patience: either may take long where the other
        doesn't."""
        hard = any(each.hard for each in conditions)
        for patience in (PATIENCE // 12, PATIENCE):
            if hard and self.solver.excludes(conditions, patience):
                return None
            with suppress(Undecided):
                return self.solver.once(conditions, self.world.contradicted, patience)
        raise Undecided("too many steps")

    def may_take(self, end: End, truth: Truth = True) -> bool:
        """Whether a packet for which a truth holds may take a path; True if the solver gives up."""
        try:
            return self.possible(truth, end) is not None
        except Undecided:
            return True

    def _constants(self) -> list[Word]:
        """Global constants as set by the loader. The devices' addresses are unknown, but not multicast."""
        content: list[Word] = list(self.code.data.get(".rodata", b""))
        places = self.code.constants
        if "slots" in places:
            content[places["slots"] : places["slots"] + 4] = SLOTS.to_bytes(4, "little")
        if "device_mac" in places:
            for number, device in enumerate(self.devices):
                for at in range(6):
                    byte = variable(f"address of {device}[{at}]", 8)
                    individual = terms.cat((7, variable(f"address of {device}[0]", 7)), (1, 0))
                    content[places["device_mac"] + 8 * number + at] = byte if at else individual
        return content

    def ends(self, device: str, arrived: Sequence[State] = ()) -> Iterator[End]:
        """All paths of packets that arrive on a device: of these that have `departed` from another router, or of all packets, except IPv6
        with extension headers."""
        pending = Pending(self.flow, self.machine)
        if self.on_tc:
            address = self.code.constants.get("device_mac", 0) + 8 * self.devices.index(device)
            self.machine.field = partial(buffers.field, known=buffers.fields(self.world, self.before, address))
        for state in arrived or self._begin(device):
            state.arrived = state.head
            state.stale, state.written = (_renamed(of, f"value of {self.name}", "value") for of in (state.stale, state.written))
            self.machine.enter(state, self.entries[device])
            pending.put(state)
            if self.asks_cpu:
                yield End(Fate.OPEN, state.copy(), why="only the first CPU's packets are followed")
        while state := pending.take():
            try:
                found = self._run(state, pending)
                if found is not None:
                    yield found
            except Split as split:
                state.count -= 1
                try:
                    pending.next += self._outcomes(state, split.what)
                except (Undecided, Unsupported) as error:
                    yield End(Fate.OPEN, state, why=str(error))
            except Unsupported as error:
                yield End(Fate.OPEN, state, why=str(error))

    def _begin(self, device: str) -> list[State]:
        if device not in self.entries:
            return []
        begin = State(self.entries[device], self.world.length)
        begin.assume(within(variable("length", 16, *bounds(self.world.length))))
        begin.assume(without_extensions(self.before))
        begin.assume(buffers.has_few_tags(self.before))
        begin.model = self._model(begin)
        return [] if begin.model is None else [begin]

    def departed(self, state: State) -> State:
        """A packet that has left, for the next router. If it comes back, what it has changed in this router's tables has unknown values."""
        made = state.copy()
        made.stale = {**made.stale, **{region: version for region, version in made.written.items() if region[0] == "value"}}
        made.memory = {where: content for where, content in made.memory.items() if where[0] == PACKET}
        made.stale, made.written = (_renamed(of, "value", f"value of {self.name}") for of in (made.stale, made.written))
        made.drops, made.redirect, made.jumps = (), None, ()
        return made

    def _run(self, state: State, pending: Pending) -> End | None:
        """Continue to the end, or to an instruction where paths may meet; there the state waits, and the result is None."""
        step = self.machine.step
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
        return self._end(state)

    def _end(self, state: State) -> End:
        result = state.constant(terms.extract(31, 0, state.registers[0]))
        reasons = tuple((self.names[element], list(REASONS)[reason]) for element, reason in state.drops)
        results, redirect = (TC_RESULTS, buffers.REDIRECT) if self.on_tc else (RESULTS, REDIRECT)
        if result in results:
            return End(results[result], state, reasons=reasons)
        if result == redirect and self.roles[state.redirect[0]] == "xsk":
            return self._handed(state)
        if self.on_tc and result == redirect and state.redirect[2] & buffers.INGRESS:
            return End(Fate.HOST, state, reasons=reasons)
        if result != redirect or self.roles[state.redirect[0]] not in ("tx", "copies"):
            raise Unsupported(f"a redirect to another CPU, or the result {result}")
        table, key, flags = state.redirect
        devices = self.copies[table] if flags & BROADCAST else (self.devices[state.constant(key)],)
        return End(Fate.SENT, state, devices=devices, reasons=reasons)

    def _handed(self, state: State) -> End:
        """The end of a packet that is handed over. The record (bpf/handover.h) has the element and port where the runtime continues."""
        head = Pointer(PACKET, (state.head + 4) & (1 << 64) - 1)
        word = state.constant(self.machine.load(state, head, 4))
        return End(Fate.HANDED, state, element=self.names[word & 0xFFFF], port=word >> 16 & 0xFF)

    # -- possible values --------------------------------------------------------------------------------------------

    def _model(self, state: State, *more: Term) -> Values | None:
        """Values for which the conditions that aren't hard hold, or None. A path that seems possible may still be impossible; that is
        checked when it matters."""
        found = self.solver.model(state.conditions(hard=False), *more)
        return None if found is None else Values(found)

    def _likely(self, state: State, truth: Term) -> Values | None:
        """The same for one more condition. If that isn't soon decided, the path counts as possible, with the state's values: these only say
        which outcomes needn't be checked."""
        try:
            found = self.solver.model(state.conditions(hard=False), truth, patience=QUICK)
        except Undecided:
            return state.model
        return None if found is None else Values(found)

    def _outcomes(self, state: State, what: Term) -> list[State]:
        """A state for each possible outcome."""
        if what.width:
            return self._valued(state, what)
        made = []
        for truth in (what, terms.opposite(what)):
            model = state.model if what.loose or what.hard or state.model[truth] else self._likely(state, truth)
            if model is not None:
                made.append(state.given(truth, model))
        return made

    def _with(self, state: State, word: Term, value: int) -> list[State]:
        """A list with the state in which a word has this value; empty if that is impossible."""
        truth = terms.equal(word, value)
        hard = isinstance(truth, Term) and truth.hard
        model = state.model if hard or state.model[word] == value else self._model(state, *((truth,) if isinstance(truth, Term) else ()))
        if truth is False or model is None:
            return []
        new = state.given(truth, model)
        new.values[word] = value
        return [new]

    def _valued(self, state: State, word: Term) -> list[State]:
        known = terms.leaves(word, MOST_VALUES)
        if known is not None:
            return [way for value in known for way in self._with(state, word, value)]
        made, model, others = [], state.model, []
        while model is not None:
            value = model[word]
            truth = terms.equal(word, value)
            made.append(state.given(truth, model))
            made[-1].values[word] = value
            if len(made) > MOST_VALUES:
                new = state.copy()
                new.values[word] = ANY
                return [new]
            others.append(terms.opposite(truth))
            model = self._model(state, *(other for other in others if isinstance(other, Term)))
        return made


#: Next headers that are extension headers of IPv6 (RFC 7045).
EXTENSIONS = (0, 43, 44, 50, 51, 60, 135, 139, 140, 253, 254)


def without_extensions(frame: Frame) -> Truth:
    """The condition that a frame isn't IPv6 with extension headers."""
    following = frame.byte(20)
    return terms.any_of((terms.opposite(frame.is_type(IP6)), terms.all_of(terms.opposite(terms.equal(following, n)) for n in EXTENSIONS)))


def _renamed(regions: Mapping[tuple, int], before: str, after: str) -> dict[tuple, int]:
    """Regions of memory, of which one kind gets another name."""
    return {(after if kind == before else kind, *rest): version for (kind, *rest), version in regions.items()}
