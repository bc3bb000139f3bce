"""The planner's options, and the plan."""

from collections.abc import Mapping
from dataclasses import asdict, field
from functools import cached_property
from typing import Any, Self

from clickbpf.frozen import frozen
from clickbpf.graph.check import CheckedRouter
from clickbpf.objects.hooks import TC, XDP
from clickbpf.objects.made import MadeDevice
from clickbpf.plan.hops import Hop
from clickbpf.plan.pacing import leaves_by
from clickbpf.vocabulary.annotations import CARRIED
from clickbpf.vocabulary.looks import Look
from clickbpf.vocabulary.traits import BEARS_OFFLOADS, PASSES, SELDOM

USER, ELIDED, CONTROL = "user", "elided", "control"
#: Options that a manifest contains only if they are used.
SPECIAL = ("traced", "traced_l3", "traced_at", "counted", "spread")


@frozen
class Options:
    """The user's options for the planner."""

    #: The kernel's hook to which the whole kernel path is attached.
    hook: str = XDP
    #: On XDP, take frames in several buffers, as devices with large MTUs have them (bpf/frags.h).
    frags: bool = False
    #: False: only the elements that receive from devices run in the kernel.
    kernel: bool = True
    #: Give every element a program of its own.
    chain: bool = False
    #: Elements that must run in user space even if the kernel could run them; a Queue named here keeps its packets.
    user: frozenset[str] = frozenset()
    #: Estimated instructions of one program, everything inlined, above which it is cut.
    program_limit: int = 16_000
    #: Trace the packets that this filter accepts (bpf/traced.h): rows of struct bpf_insn, compiled by libpcap. An empty one accepts all.
    traced: tuple[tuple[int, int, int, int], ...] | None = None
    #: The filter for packets of L3 devices; None accepts none.
    traced_l3: tuple[tuple[int, int, int, int], ...] | None = None
    #: Trace only at inputs of these elements, and not where packets end; None: at all inputs and ends.
    traced_at: frozenset[str] | None = None
    #: True: count the packets at every output (bpf/exits.h).
    counted: bool | None = None
    #: True: threads of the configuration are CPUs (--spread), and Queues between them stay in the kernel (plan/hops.py).
    spread: bool | None = None

    def traces(self, element: str) -> bool:
        """Whether packets are traced at inputs of an element."""
        return self.traced is not None and (self.traced_at is None or element in self.traced_at)

    @property
    def sees_parts(self) -> bool:
        """Whether some packets are in several buffers, of which programs see the first."""
        return self.frags or self.hook == TC

    def to_plain(self) -> dict[str, Any]:
        """The options as a manifest keeps them."""
        plain = {**asdict(self), "user": sorted(self.user)}
        plain["traced_at"] = None if self.traced_at is None else sorted(self.traced_at)
        return {name: value for name, value in plain.items() if name not in SPECIAL or value is not None}

    @classmethod
    def from_plain(cls, plain: Mapping[str, Any]) -> Self:
        filters = {name: plain.get(name) for name in ("traced", "traced_l3")}
        rows = {name: None if given is None else tuple(map(tuple, given)) for name, given in filters.items()}
        at = None if plain.get("traced_at") is None else frozenset(plain["traced_at"])
        return cls(**{**plain, "user": frozenset(plain.get("user", ())), **rows, "traced_at": at})


@frozen
class Placement:
    """Where an element runs for packets that come from the kernel path, and why."""

    where: str
    reason: str


@frozen
class Program:
    """One BPF program: entered from a device, by a tail call (`jump` is its index), or from the queue of a CPU."""

    element: str
    device: str | None
    jump: int | None
    size: int
    reason: str


@frozen
class Copies:
    """A packet that leaves by several `outputs` in the kernel: `members` are the inputs (element, port) that its copies meet, `leaving` the
    sets of devices, each sorted by name, by which the copies may leave together. At the output `goes_on`, if there is one, the packet
    itself goes on: possible on TC, and where no copy leaves. A single output makes no copies."""

    outputs: tuple[int, ...]
    members: tuple[tuple[str, int], ...] = ()
    leaving: tuple[tuple[str, ...], ...] = ()
    goes_on: int | None = None


@frozen
class Plan:
    """A checked router with the placement of each element, and the programs that the kernel path consists of."""

    checked: CheckedRouter
    options: Options
    placements: Mapping[str, Placement]
    programs: tuple[Program, ...]
    #: The router's devices, by their names in the configuration; a device's index is its position here.
    devices: tuple[str, ...]
    #: The devices that the router creates itself.
    made: tuple[MadeDevice, ...] = ()
    #: Annotation bytes that cross from one executor or program to the next: (offset, length), ascending.
    carried: tuple[tuple[int, int], ...] = field(default=())
    #: The copies that the kernel makes for an element, one for each of Element.copies().
    copies: Mapping[str, tuple[Copies, ...]] = field(default_factory=dict)
    #: Elements after which plain packets have a path of their own (PARTS_PLAIN).
    parted: frozenset[str] = frozenset()
    #: Elements with a second copy, a program that is entered only from elements that few packets meet (SELDOM).
    rejoined: frozenset[str] = frozenset()
    #: The queues that lead from one CPU to another, by their names.
    hops: Mapping[str, Hop] = field(default_factory=dict)

    def in_kernel(self, element: str) -> bool:
        return self.placements[element].where in (self.options.hook, ELIDED)

    @cached_property
    def there(self) -> frozenset[str]:
        """The elements that run in the kernel path, without elided ones."""
        return placed(self.placements, self.options.hook)

    def look(self, element: str) -> Look | None:
        """What the kernel path copies for the runtime at an element that only looks at packets; None for other elements."""
        instance = self.checked.instances[element]
        looks = self.placements[element].where == self.options.hook and self.options.hook not in instance.runs
        return instance.shown() if looks else None

    @cached_property
    def any_looks(self) -> bool:
        return any(self.look(name) is not None for name in self.checked.instances)

    @cached_property
    def carries_time(self) -> bool:
        """Whether the timestamp annotation crosses."""
        start, length = CARRIED["TIMESTAMP"]
        return any(offset + size >= start + length for offset, size in self.carried)

    def bears_offloads(self, element: str) -> bool:
        """Whether this element and all that packets can meet after it in the kernel have the trait BEARS_OFFLOADS."""
        pending, seen = [element], {element}
        while pending:
            name = pending.pop()
            bears = BEARS_OFFLOADS in self.checked.instances[name].traits and self.look(name) is None
            if self.placements[name].where != ELIDED and not bears:
                return False
            following = {target for port in range(self.checked.instances[name].noutputs) for target, _ in self.targets(name, port)}
            pending += [target for target in following - seen if self.in_kernel(target)]
            seen |= following
        return True

    @cached_property
    def copy_sets(self) -> tuple[tuple[str, ...], ...]:
        """The sets of two or more devices by which copies leave together; a set's number is its index here."""
        leaving = (devices for made in self.copies.values() for copies in made for devices in copies.leaving)
        return tuple(dict.fromkeys(devices for devices in leaving if len(devices) > 1))

    @cached_property
    def jumps(self) -> dict[str, int]:
        """Elements that are entered by a tail call, and their index."""
        return {program.element: program.jump for program in self.programs if program.jump is not None}

    def jump(self, source: str, target: str) -> int | None:
        """The index of the program that one element enters another by; None where the other is inlined."""
        inlined = target in self.rejoined and SELDOM not in self.checked.instances[source].traits
        return None if inlined else self.jumps.get(target)

    def joins_devices(self, target: str) -> bool:
        """Whether only elements that receive from devices pass packets to this one, as they have come in. (On TC, L3 devices' differ.)"""
        instances = self.checked.instances
        sources = [element for name, element in instances.items() if any(exit and exit[0] == target for exit in self.exits(name))]
        received = (source.receives_from() is not None and PASSES in source.traits for source in sources)
        return self.options.hook == XDP and all(received)

    @cached_property
    def index(self) -> dict[str, int]:
        """Number of each element, by the configuration's order; the same for both executors."""
        return {element.name: number for number, element in enumerate(self.checked.router.elements)}

    def targets(self, element: str, port: int) -> tuple[tuple[str, int], ...]:
        """(element, input port) of everything connected to an output."""
        return self._connections.get((element, port), ())

    def exits(self, element: str) -> dict[tuple[str, int] | None, list[int]]:
        """The inputs that an element's outputs lead to, each with the outputs that lead there; None has the unconnected ones."""
        found: dict[tuple[str, int] | None, list[int]] = {}
        for port in range(self.checked.instances[element].noutputs):
            found.setdefault(self.exit(element, port), []).append(port)
        return found

    def exit(self, element: str, port: int) -> tuple[str, int] | None:
        """The input that an output leads to; None if it isn't connected."""
        targets = self.targets(element, port)
        return targets[0] if targets else None

    def leaves_by(self, element: str) -> str | None:
        """The device by which packets leave to which the element gives departure times (plan/pacing.py)."""
        return leaves_by(self.checked, self._connections, element)

    @cached_property
    def _connections(self) -> dict[tuple[str, int], tuple[tuple[str, int], ...]]:
        return connections(self.checked)


def placed(placements: Mapping[str, Placement], where: str) -> frozenset[str]:
    """The elements with this placement."""
    return frozenset(name for name, placement in placements.items() if placement.where == where)


def connections(checked: CheckedRouter) -> dict[tuple[str, int], tuple[tuple[str, int], ...]]:
    """Output (element, port) -> the inputs it is connected to."""
    table: dict[tuple[str, int], tuple[tuple[str, int], ...]] = {}
    for connection in checked.router.connections:
        source = (connection.source.element, connection.source.port)
        table[source] = table.get(source, ()) + ((connection.target.element, connection.target.port),)
    return table
