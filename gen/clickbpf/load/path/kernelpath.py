"""A router's kernel path: the maps and programs of its loaded object, and Python's view of its state."""

from __future__ import annotations

import struct
import time
from collections.abc import Mapping, Sequence
from contextlib import ExitStack
from typing import TYPE_CHECKING

from clickbpf.closing import Closing
from clickbpf.load.devices.devices import Device
from clickbpf.load.devices.hops import HANDING_CPU, Hops
from clickbpf.load.devices.lanes import THREAD_OF_CPU, Lanes
from clickbpf.load.devices.needs import NEEDS
from clickbpf.load.devices.spread import Spread
from clickbpf.load.files.places import Pins
from clickbpf.load.kernel import verifier
from clickbpf.load.kernel.causes import explain, explained
from clickbpf.load.kernel.fds import Content, Map, Program
from clickbpf.load.kernel.libbpf import BPF_XDP_CPUMAP, BpfError, lib
from clickbpf.load.kernel.objects import Object, VerifierError
from clickbpf.objects.hooks import FRAGS_SECTION, XDP
from clickbpf.objects.made import INLET
from clickbpf.objects.manifest import Manifest, MapEntry
from clickbpf.vocabulary.state import Array, State, View

if TYPE_CHECKING:
    from clickbpf.vocabulary.element import Element

#: Roles of maps that belong to the programs: they contain nothing that later programs need.
PROGRAMS_OWN = ("jumps", "scratch", "traces", "traced", "counted", "hops")
#: Nanoseconds within which readings of two clocks count as simultaneous.
AT_ONCE = 10**8
#: Bytes of one device's entry in the variable `device_mac`.
MAC_STRIDE = 8


class KernelPath(Closing):
    """Maps and programs by their C names. close() closes the descriptors: pins and attachments stay.

    `lanes` are the CPUs in whose queues the programs run, if any, and `spreads` these queues, by device name; a path that replaces another
    uses its queues."""

    def __init__(self, manifest: Manifest, maps: Mapping[str, Map], programs: Mapping[str, Program]):
        self.manifest, self.maps, self.programs = manifest, maps, programs
        self._ahead: int | None = None
        self.spreads: dict[str, Spread] = {}
        self.lanes: Lanes | None = None

    def role(self, role: str) -> Map | None:
        """The only map of a role, or None if the router has none."""
        return next((self.maps[entry.name] for entry in self.manifest.of_role(role)), None)

    def states(self, instances: Mapping[str, Element], copy: bool = False, only: type[State] = State) -> dict[str, dict[str, View]]:
        """Views of state in the kernel, or of copies of it: element -> name of the state -> view. `only` selects a kind of state. Only
        instances know the lengths of arrays, so `instances` may be classes if `only` is another kind.
        """
        found: dict[str, dict[str, View]] = {}
        memories = {name: self.memory(name, copy) for name in {entry.map for entry in self.manifest.states}}
        for entry in self.manifest.states:
            kind = instances[entry.element].state_types[entry.state]
            if not isinstance(kind, only):
                continue
            memory, entries = memories[entry.map]
            if isinstance(kind, Array):
                entries = kind.entries(instances[entry.element], self.slots)
            found.setdefault(entry.element, {})[entry.state] = View(kind, memory[entry.offset :], entries, entry.stride)
        return found

    def outliving(self, instances: Mapping[str, Element]) -> dict[str, dict[str, View]]:
        """Views of the state that outlives runtimes, for elements whose maps have all of it in today's form: another version of clickbpf
        may have kept other state, or none."""
        known = {(entry.element, entry.state): entry.stride for entry in self.manifest.states}
        wanted = {
            name: {state: kind for state, kind in element.state_types.items() if kind.outlives} for name, element in instances.items()
        }
        same = [name for name, kinds in wanted.items() if kinds and all(known.get((name, s)) == kind.stride for s, kind in kinds.items())]
        states = self.states(instances) if same else {}
        return {name: {state: states[name][state] for state in wanted[name]} for name in same}

    def view(self, entry: MapEntry, kind: State) -> View:
        """A view of a map's values, shared with the kernel; it outlives the map's descriptor."""
        return View(kind, *self.memory(entry.name))

    def memory(self, name: str, copy: bool = False) -> tuple[memoryview, int]:
        """A map's memory, or a copy of it, and the number of its values."""
        memory = self.maps[name].memory()
        return memoryview(bytearray(memory) if copy else memory), self._values(name)

    def _values(self, name: str) -> int:
        """The number of values of a map that are in use."""
        entry = next(entry for entry in self.manifest.maps if entry.name == name)
        return self.slots if entry.is_global else self.maps[name].info().max_entries

    @property
    def hops(self) -> Hops | None:
        """The queues of CPUs between elements, if there are any."""
        return Hops(self) if self.manifest.hops else None

    def follow_clock(self) -> None:
        """Update the programs' difference between CLOCK_TAI and CLOCK_REALTIME; called now and then."""
        if (clock := self.role("clock")) and self._ahead != (ahead := tai_ahead()):
            with clock.memory() as memory:
                memory[:8] = struct.pack("=q", ahead)
            self._ahead = ahead

    @property
    def looks(self) -> tuple[int, int] | None:
        """The ring buffer of copies for elements that look at packets: descriptor and size; None if there are no such elements."""
        ring = self.role("looks")
        return ring and (ring.fd, ring.info().max_entries)

    @property
    def slots(self) -> int:
        """The number of CPUs and runtime threads that the maps were created for."""
        (drops,) = self.manifest.of_role("drops")
        return self.maps[drops.name].info().max_entries // drops.entries

    def pin(self, pins: Pins) -> None:
        """Pin everything, creating the folders. ClickError if a step fails; earlier pins then stay."""
        with explained("the router can't be pinned"):
            pins.make()
            for name, program in self.programs.items():
                _pin(program, pins.program(name))
            for entry in self.manifest.maps:
                _pin(self.maps[entry.name], pins.map(entry.name))
            for state in self.manifest.states:
                _pin(self.maps[state.map], pins.state(state.element, state.state))

    @classmethod
    def pinned(cls, manifest: Manifest, pins: Pins) -> KernelPath:
        """Open what was pinned; BpfError if something is missing."""
        with ExitStack() as opened:
            maps = {e.name: opened.enter_context(Map.pinned(pins.map(e.name))) for e in manifest.maps}
            programs = {p.name: opened.enter_context(Program.pinned(pins.program(p.name))) for p in manifest.programs}
            opened.pop_all()
        return cls(manifest, maps, programs)

    def become(self, other: KernelPath) -> None:
        """Take the programs and maps of another kernel path, which then has none. The queues stay."""
        for held in (*self.maps.values(), *self.programs.values()):
            held.close()
        self.manifest, self.maps, self.programs = other.manifest, other.maps, other.programs
        other.maps, other.programs = {}, {}

    def close(self) -> None:
        for held in (*self.maps.values(), *self.programs.values(), *self.spreads.values()):
            held.close()


def _pin(held: Map | Program, path) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    held.pin(path)


def cpus() -> int:
    """The number of CPUs that this machine can have, and so the number of the runtime's first slot."""
    return lib.libbpf_num_possible_cpus()


def tai_ahead() -> int:
    """Nanoseconds by which CLOCK_TAI is ahead of CLOCK_REALTIME: whole seconds."""
    while True:
        before, tai, after = time.time_ns(), time.clock_gettime_ns(time.CLOCK_TAI), time.time_ns()
        if abs(after - before) < AT_ONCE:
            return round((tai - before) / 10**9) * 10**9


def load_kernel(
    content: bytes,
    manifest: Manifest,
    *,
    threads: int = 1,
    devices: Sequence[Device] = (),
    variables: Mapping[str, Content] | None = None,
    reuse: KernelPath | None = None,
    spread: Lanes | None = None,
) -> KernelPath:
    """Load an object for a runtime with that many threads, and fill the maps that refer to its programs and devices.

    `devices` are the manifest's, in its order; without them (for test runs) packets can't be sent. `variables` are more `const volatile`
    values. `reuse` is a path whose maps this one uses, except those of PROGRAMS_OWN. With `spread` the programs run in CPUs'
    queues. ClickError explains why the kernel refused the object.
    """
    slots = cpus() + threads
    with Object(content, "router") as opened:
        _size_maps(opened, manifest, slots, reuse)
        for entry in manifest.programs:
            if opened.section(entry.name) in (XDP, FRAGS_SECTION):  # a queue's program, or a dispatcher's member, may have to tail-call it
                opened.set_attach_type(entry.name, BPF_XDP_CPUMAP if spread else 0)
        own = {"slots": slots, "is_spread": bytes([spread is not None])}
        own |= {HANDING_CPU: spread.handing, THREAD_OF_CPU: spread.threads()} if spread else {}
        _set_variables(opened, {**own, **_of_devices(opened, devices), **(variables or {})})
        _load(opened, content, manifest)
        maps = {entry.name: opened.map(entry.name) for entry in manifest.maps}
        programs = {entry.name: opened.program(entry.name) for entry in manifest.programs}
    path = KernelPath(manifest, maps, programs)
    path.lanes = spread
    try:
        path.follow_clock()
        _link(path, devices)
        if spread and path.hops:
            if not reuse:
                path.hops.begin()
            path.hops.open()
    except BpfError:
        path.close()
        raise
    return path


def _size_maps(opened: Object, manifest: Manifest, slots: int, reuse: KernelPath | None) -> None:
    """Give maps their numbers of entries, or use those of another path."""
    for entry in manifest.maps:
        if entry.is_global:
            opened.resize(entry.name, entry.max_entries(slots))
        else:
            opened.set_max_entries(entry.name, cpus() if entry.role == "hops" else entry.max_entries(slots))
        if reuse and entry.role not in PROGRAMS_OWN:
            opened.reuse(entry.name, reuse.maps[entry.name])


def _load(opened: Object, content: bytes, manifest: Manifest) -> None:
    try:
        opened.load()
    except VerifierError as error:
        raise verifier.explain(error, content, manifest) from None
    except BpfError as error:
        raise explain(error, "the router can't be loaded into the kernel") from None


def _set_variables(opened: Object, values: Mapping[str, Content]) -> None:
    """Set variables; an object has only those that it uses."""
    present = opened.variables()
    for name, value in values.items():
        if name in present:
            opened.set_variable(name, value)


def _of_devices(opened: Object, devices: Sequence[Device]) -> dict[str, bytes]:
    if not devices:
        return {}
    own, present = [device for device in devices if device.configured != INLET], opened.variables()
    macs = b"".join(device.mac[:6].ljust(MAC_STRIDE, b"\0") for device in own)
    return {"device_mac": macs} | {name: make(own) for need in NEEDS for name, make in need.variables.items() if name in present}


def _link(path: KernelPath, devices: Sequence[Device]) -> None:
    """Fill the maps through which programs reach each other and the devices."""
    jumps, transmit = path.role("jumps"), path.role("tx")
    for entry in path.manifest.programs:
        if entry.jump is not None:
            jumps.update(entry.jump, path.programs[entry.name].fd)
    for index, device in enumerate(devices):
        transmit.update(index, device.link if device.configured == INLET else device.ifindex)
    for entry, copy_set in zip(path.manifest.of_role("copies"), path.manifest.copy_sets):
        for place, index in enumerate(copy_set if devices else ()):
            path.maps[entry.name].update(place, devices[index].ifindex)
