"""The manifest, an object's description of itself: a JSON document in its ELF section `.clickbpf`.

The emitter of BPF C makes it, the loader reads it and needs nothing else to attach the object and to name its state:

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
#: Receive queues of a device that the runtime can listen on; the XSKMAP's key is device * this + queue.
QUEUES_PER_DEVICE = 64
#: The loader leaves at least so many values in the global array of per-thread state. A program that runs on no more CPUs need not read how
#: many there are.
LEAST_SLOTS = 16


@frozen
class ProgramEntry:
    """A program: its C function and ELF section, "xdp" or "tc", which is the hook it is for; the configuration's device it is
    attached to, or its index in the map of jumps (both may be None); and the element it begins with."""

    name: str
    section: str
    device: str | None = None
    jump: int | None = None
    element: str | None = None

@frozen
class MapEntry:
    """A map: C name and role. `entries` is the number of values; with `per_slot` that many for each slot, that is for
    each CPU and runtime thread. `stride` is bytes from one value to the next.

    Roles: "state" holds states of elements; "drops" counts drops for each element and reason; "tx" has the interface index of each
    device, by device index (a DEVMAP, on TC an ARRAY); "xsk" is the XSKMAP, by device and receive queue; "copies" the interface
    indices of a set of devices that copies leave by together, the map's number being the set's (XDP only); "jumps" the programs of
    a chain; "scratch" what programs remember for a moment; "handed"
    what queues hand over, by device and receive queue; "looks" is a ring buffer of what the runtime looks at, its entries are bytes;
    "trace" has the reports of test runs; "traces" and
    "traced" are a ring buffer of the events of traced packets, and their number; "clock" has what makes CLOCK_TAI the time of day.
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
    """Where an element's state is: at `offset` bytes in the first value of `map`, and `stride` bytes further for each next."""

    element: str
    state: str
    map: str
    offset: int = 0
    stride: int = 0


@frozen
class HandlerEntry:
    """A handler of an element and what can be done with it."""

    name: str
    read: bool
    write: bool


@frozen
class DelayEntry:
    """An element whose programs give packets times at which to leave by a device; at most so many `packets` wait, for `time` ns."""

    element: str
    device: str
    packets: int
    time: int


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
        """The place, as errors have it."""
        found = re.fullmatch(r"(.+):(\d+):(\d+)", self.place)
        return Place(found[1], int(found[2]), int(found[3])) if found else None


@frozen
class Manifest:
    """The whole description. `hash` (32 bits) names the router in every handover; `devices` are in the order of their
    indices; `tohost_devices` are those whose ToHost is reached in user space, `sniffed_devices` those whose ToHostSniffers is,
    `wired` devices each with an element that reads it or sends by it, `promiscuous` those that are to take frames for all Ethernet
    addresses, `made` those that the loader makes; `copy_sets` are sets of devices by their indices; `delays` are for packets that wait in
    the qdisc of their device; `planned` are the planner's options. `configuration` is flat; `written` is as the user wrote it, "" if that
    can't be read alone or isn't what runs, with the variables that were `given`."""

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
    planned: Mapping[str, Any] = field(default_factory=dict, hash=False)
    written: str = ""
    given: Mapping[str, str] = field(default_factory=dict, hash=False)

    @property
    def hook(self) -> str:
        """The kernel's hook that the programs of the configuration's devices are on: "xdp" or "tc"."""
        return self.planned.get("hook", "xdp")

    @property
    def frags(self) -> bool:
        """Whether its XDP programs take frames in several buffers."""
        return self.planned.get("frags", False)

    def wired_to(self, sending: bool) -> dict[str, ElementEntry]:
        """For each device the first element that sends by it, or receives from it. (Of elements that have a device, those that send have
        inputs.)"""
        elements = {element.name: element for element in self.elements if bool(element.inputs) == sending}
        return {device: elements[name] for device, name in reversed(self.wired) if name in elements}

    def of_role(self, role: str) -> tuple[MapEntry, ...]:
        return tuple(entry for entry in self.maps if entry.role == role)

    def to_json(self) -> str:
        """The document, in ASCII, which can also represent file names that aren't UTF-8; equal manifests give equal text."""
        return json.dumps(to_plain(self), separators=(",", ":"))

    @classmethod
    def from_json(cls, text: str) -> Self:
        """Read a document; ClickError if it is not one. Members that a later version added are left out."""
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
