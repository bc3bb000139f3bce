"""The manifest, an object's description of itself: a JSON document in its ELF section `.clickbpf`.

The emitter of BPF C makes it. The loader needs nothing else to attach the object and to find its state:

    {"version": "1.0", "hash": 305419896, "devices": ["eth0"],
     "programs": [{"name": "xdp_eth0", "section": "xdp", "device": "eth0", "jump": null, "element": "src"}],
     "maps": [{"name": "counters", "role": "state", "entries": 1, "per_slot": true, "stride": 64}],
     "states": [{"element": "c", "state": "counters", "map": "counters", "offset": 0, "stride": 64}],
     "elements": [{"index": 0, "name": "c", "class": "Counter", ...}],
     "tohost_devices": [], "made": [{"device": "fake0", "element": "h", "address": "10.1.1.1/24", "mtu": 1500, ...}],
     "planned": {"kernel": true, "chain": false, "user": [], "program_limit": 16000}, "configuration": "...",
     "written": "...", "given": {"INSIDE": "eth0"}}
"""

import json
import re
from collections.abc import Mapping
from dataclasses import asdict, field, fields
from io import BytesIO
from typing import Any, Self

from clickbpf.errors import ClickError, Place
from clickbpf.frozen import frozen
from clickbpf.objects.made import MadeDevice

SECTION = ".clickbpf"
#: The most receive queues of a device on which the runtime can listen; the XSKMAP's key is device * this + queue.
QUEUES_PER_DEVICE = 64
#: The least number of values that the loader leaves in the global array of per-thread state. With no more CPUs, a program needn't read the
#: number of values.
LEAST_SLOTS = 16
#: The program that passes handovers to sockets where several CPUs make them, its queue, and the map with the number that wait.
HANDING, HANDING_QUEUE, WAITING = "handed_over", "handing", ".data.level"


@frozen
class ProgramEntry:
    """A program: its C function; its ELF section, which names its hook; the configuration's device that it is attached to, or its index in
    the map of jumps (both may be None); and the element with which it begins."""

    name: str
    section: str
    device: str | None = None
    jump: int | None = None
    element: str | None = None

@frozen
class MapEntry:
    """A map: C name and role. `entries` is the number of values; with `per_slot` this is for each slot, which means each CPU and runtime
    thread. `stride` is the bytes from one value to the next. The roles:

        state          states of elements
        drops          the number of drops for each element and reason
        tx             the interface index of each device, by device index (a DEVMAP, on TC an ARRAY)
        xsk            the XSKMAP, by device and receive queue
        copies         the interface indices of a set of devices by which copies leave together; the map's number is the set's (XDP only)
        jumps          programs that are entered by tail calls
        scratch        temporary data of programs
        handed         the accounting of handovers, by device and receive queue (bpf/exits.h)
        looks          a ring buffer of copies for elements that look at packets; its entries are bytes
        trace          the reports of test runs
        traces, traced a ring buffer of traced packets' events, and the number of these packets
        counted        the packets at each output, by slot and output
        hops           the queue of a CPU that an element's packets wait in, or that handovers do (CPUMAPs)
        level          how many handovers wait in such a queue
        clock          the difference between CLOCK_TAI and the time of day
    """

    name: str
    role: str
    entries: int = 1
    per_slot: bool = False
    stride: int = 0

    @property
    def is_global(self) -> bool:
        """Whether the values are elements of one global array in a data section, which is a map with one value."""
        return self.per_slot and self.name.startswith(".data")

    def max_entries(self, slots: int) -> int:
        if self.is_global:
            slots = max(slots, LEAST_SLOTS)
        return self.entries * slots if self.per_slot else self.entries


@frozen
class StateEntry:
    """The location of an element's state: at `offset` in the first value of `map`; each further value is `stride` bytes later."""

    element: str
    state: str
    map: str
    offset: int = 0
    stride: int = 0


@frozen
class HandlerEntry:
    """A handler of an element, and whether it can be read and written."""

    name: str
    read: bool
    write: bool


@frozen
class DelayEntry:
    """An element that gives packets departure times in the kernel, by a device: at most `packets` wait, each for at most `time` ns."""

    element: str
    device: str
    packets: int
    time: int


@frozen
class HopEntry:
    """An element whose packets wait in the queue of a CPU: the queue's map, the program that it runs, the element, and its thread's number
    in the configuration."""

    map: str
    program: str
    element: str
    thread: int


@frozen
class ElementEntry:
    """An element: `place` is file:line:column in the configuration, `placement` where it runs, `reason` why there."""

    index: int
    name: str
    class_name: str
    config: str = ""
    place: str = ""
    inputs: int = 0
    outputs: int = 0
    placement: str = ""
    reason: str = ""
    handlers: tuple[HandlerEntry, ...] = ()

    @property
    def position(self) -> Place | None:
        """The place, parsed."""
        found = re.fullmatch(r"(.+):(\d+):(\d+)", self.place)
        return Place(found[1], int(found[2]), int(found[3])) if found else None


@frozen
class Manifest:
    """The whole description:

    - `hash` (32 bits) identifies the router in every handover;
    - `configuration` is flat; `written` is the user's own text, "" if it can't be read alone or isn't what runs, and `given` the variables
      that were set from outside;
    - `devices` are in the order of their indices;
    - `tohost_devices` and `sniffed_devices` are those whose packets can reach a ToHost or ToHostSniffers in user space;
    - `wired` are pairs of a device and an element that reads it or sends by it;
    - `promiscuous` devices have to accept frames for all Ethernet addresses;
    - `made` devices are created by the loader;
    - `copy_sets` are sets of devices, by their indices;
    - `delays` are the elements whose packets wait in a device's qdisc;
    - `hops` are those whose packets wait for a CPU, and `homes` the threads of devices that one CPU reads (both only with --spread);
    - `planned` are the planner's options.
    """

    hash: int
    configuration: str
    version: str
    devices: tuple[str, ...] = ()
    programs: tuple[ProgramEntry, ...] = ()
    maps: tuple[MapEntry, ...] = ()
    states: tuple[StateEntry, ...] = ()
    elements: tuple[ElementEntry, ...] = ()
    tohost_devices: tuple[str, ...] = ()
    sniffed_devices: tuple[str, ...] = ()
    wired: tuple[tuple[str, str], ...] = ()
    promiscuous: tuple[str, ...] = ()
    made: tuple[MadeDevice, ...] = ()
    copy_sets: tuple[tuple[int, ...], ...] = ()
    delays: tuple[DelayEntry, ...] = ()
    hops: tuple[HopEntry, ...] = ()
    homes: Mapping[str, int] = field(default_factory=dict, hash=False)
    planned: Mapping[str, Any] = field(default_factory=dict, hash=False)
    written: str = ""
    given: Mapping[str, str] = field(default_factory=dict, hash=False)

    @property
    def hook(self) -> str:
        """The hook of the programs on the configuration's devices: "xdp" or "tc"."""
        return self.planned.get("hook", "xdp")

    @property
    def frags(self) -> bool:
        """Whether its XDP programs take frames in several buffers."""
        return self.planned.get("frags", False)

    def wired_to(self, sending: bool) -> dict[str, ElementEntry]:
        """The first element that sends by each device, or receives from it. (Among elements with a device, only senders have inputs.)"""
        elements = {element.name: element for element in self.elements if bool(element.inputs) == sending}
        return {device: elements[name] for device, name in reversed(self.wired) if name in elements}

    def of_role(self, role: str) -> tuple[MapEntry, ...]:
        return tuple(entry for entry in self.maps if entry.role == role)

    def to_json(self) -> str:
        """The document in ASCII, which can represent file names that aren't UTF-8. Equal manifests give equal texts."""
        return json.dumps(to_plain(self), separators=(",", ":"))

    @classmethod
    def from_json(cls, text: str) -> Self:
        """Read a document; ClickError if it isn't one. Members that a later version added are ignored."""
        try:
            members = json.loads(text)
            return _make(
                cls,
                members,
                devices=tuple(members["devices"]),
                tohost_devices=tuple(members.get("tohost_devices", ())),
                sniffed_devices=tuple(members.get("sniffed_devices", ())),
                wired=tuple(map(tuple, members.get("wired", ()))),
                promiscuous=tuple(members.get("promiscuous", ())),
                made=tuple(_make(MadeDevice, entry) for entry in members.get("made", ())),
                copy_sets=tuple(map(tuple, members.get("copy_sets", ()))),
                delays=tuple(_make(DelayEntry, entry) for entry in members.get("delays", ())),
                hops=tuple(_make(HopEntry, entry) for entry in members.get("hops", ())),
                programs=tuple(_make(ProgramEntry, entry) for entry in members["programs"]),
                maps=tuple(_make(MapEntry, entry) for entry in members["maps"]),
                states=tuple(_make(StateEntry, entry) for entry in members["states"]),
                elements=tuple(map(_element, members["elements"])),
            )
        except (ValueError, KeyError, TypeError, AttributeError) as error:
            raise ClickError(f"the manifest of the object can't be read: {error!r}") from None

    @classmethod
    def from_object(cls, content: bytes, name: str = "the object") -> Self:
        """Read it out of an ELF object; ClickError if it is not an ELF object, or not one of clickbpf's."""
        from elftools.common.exceptions import ELFError
        from elftools.elf.elffile import ELFFile

        try:
            section = ELFFile(BytesIO(content)).get_section_by_name(SECTION)
        except ELFError as error:
            raise ClickError(f"{name} is not an ELF object: {error}") from None
        if section is None:
            raise ClickError(f"{name} has no section {SECTION}", hint="it was not made by 'clickbpf build'")
        return cls.from_json(section.data().decode(errors="replace"))


def to_plain(value: Manifest) -> dict[str, Any]:
    """As dictionaries, lists, strings and numbers, under the names of the JSON document."""
    plain = asdict(value)
    for element in plain["elements"]:
        element["class"] = element.pop("class_name")
    return plain


def _element(members: Mapping[str, Any]) -> ElementEntry:
    handlers = tuple(_make(HandlerEntry, entry) for entry in members.get("handlers", ()))
    return _make(ElementEntry, members, class_name=members["class"], handlers=handlers)


def _make(kind: type, members: Mapping[str, Any], **converted: Any) -> Any:
    known = {f.name for f in fields(kind)}
    return kind(**{**{name: value for name, value in members.items() if name in known}, **converted})
