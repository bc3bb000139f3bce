"""Whether two routers treat any packet differently, if tables of elements with the same name have the same contents."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field, replace

from clickbpf.prove import terms
from clickbpf.prove.answers import Router, Verdict
from clickbpf.prove.explore import End, Fate
from clickbpf.prove.frames import Frame
from clickbpf.prove.machine import PACKET
from clickbpf.prove.merging import joined
from clickbpf.prove.replay import Example, replay
from clickbpf.prove.solver import Undecided
from clickbpf.prove.values import Truth, Word

#: The runtime goes on with such packets.
LATER = Fate.HANDED, Fate.ANSWERED
#: The packet's bytes matter.
BYTES = (Fate.SENT, Fate.HOST, *LATER)
#: In a handover's record (bpf/handover.h): how many bytes at the frame's end don't belong to the packet. Neither that nor the router's hash
#: and the element's number are compared.
TRIM = (16, 17)
RECORD = (*range(6), *TRIM)
#: The description of the packet that a program leaves for the next one (struct scratch, bpf/exits.h, which asserts the places); the place
#: of that number of bytes there, and of the offsets of the packet and of its headers, which are at the same places for all hooks.
DESCRIPTION, CUT, OFFSETS = ("value", "scratch"), range(48, 56), (*range(40, 44), *range(56, 68))


@dataclass
class Difference:
    """A class of packets that the two routers treat differently; an example, and both treatments of it."""

    treatment: str
    old: Example
    new: Example


@dataclass
class Comparison:
    """`apart` has the elements at which only one of two routers on different hooks hands packets over, since each hook hands over what it
    can't send. These packets aren't compared."""

    differences: list[Difference]
    open: list[str]
    apart: set[str] = field(default_factory=set)

    @property
    def verdict(self) -> Verdict:
        return Verdict.REFUTED if self.differences else Verdict.UNDECIDED if self.open else Verdict.PROVED


def compare(old: Router, new: Router) -> Comparison:
    """The differences: for each treatment by the old router, packets that the new one treats differently."""
    found = Comparison([], [])
    new.explorer.world.share(old.explorer.world)
    devices = old.entries, new.entries
    for device in sorted(set(devices[0]) ^ set(devices[1])):
        found.open.append(f"only one of the routers receives from {device}")
    for device in (name for name in devices[0] if name in devices[1]):
        ends = [[end for _, end in router.of([device])] for router in (old, new)]
        unknown = {end: router.explorer for router, each in zip((old, new), ends) for end in each if end.fate is Fate.OPEN}
        found.open += [f"from {device}: {end.why}" for end, explorer in unknown.items() if explorer.may_take(end)]
        later = [{end.element for end in each if end.fate in LATER} for each in ends]
        changed = sorted(element for element in set.intersection(*later) if _beyond(old, element) != _beyond(new, element))
        found.open += [f"from {device}: what follows {element} has changed, and isn't compared" for element in changed]
        for one, other, truth in _suspects(old, new, *ends):
            if _treatment(one) not in {each.treatment for each in found.differences}:
                _examine(old, new, device, one, other, truth, found)
    return found


def _suspects(old: Router, new: Router, before: list[End], after: list[End]) -> Iterator[tuple[End, End, Truth]]:
    """Pairs of paths, one of each router, that a packet may both take, and the condition under which their results differ."""
    others = sorted(_joined(new, after), key=lambda end: list(Fate).index(end.fate))
    for one in _joined(old, before):
        for other in others:
            differs = _treatment(one) != _treatment(other) or (one.fate in BYTES and _differs(old, new, one, other))
            if differs is not False:
                yield one, other, differs


def _joined(router: Router, ends: list[End]) -> list[End]:
    """Paths with the same treatment of packets as one, if the resulting frames have the same start and length, and the same bytes are
    written."""
    found: dict[tuple, list[End]] = {}
    for end in (end for end in ends if end.fate is not Fate.OPEN):
        written = frozenset(end.written(router.explorer.world)) if end.fate in BYTES else ()
        found.setdefault((_treatment(end), end.state.head, end.state.moved, end.state.end, written), []).append(end)
    machine, made = router.explorer.machine, []
    for same in found.values():
        kept = {PACKET, *([DESCRIPTION] if same[0].fate is Fate.ANSWERED else [])}
        made.append(replace(same[0], state=joined([end.state for end in same], machine, kept)))
    return made


def _treatment(end: End) -> str:
    """A path's treatment of packets as text, without counts."""
    return f"{end.fate.value} {', '.join(end.devices)}{end.element}{f' [{end.port}]' if end.element else ''}".strip()


def _beyond(router: Router, element: str) -> tuple[set, set]:
    """An element, and all that packets may meet after it, with their connections."""
    checked = router.explorer.made.checked
    met = {element, *(each.name for each in checked.flow.reachable(element, True))}
    elements = {(each.name, each.class_name, each.config) for each in checked.router.elements if each.name in met}
    return elements, {(c.source, c.target) for c in checked.router.connections if c.source.element in met}


def _differs(old: Router, new: Router, one: End, other: End) -> Truth:
    if one.state.head != other.state.head or one.state.moved or other.state.moved:
        return True
    before, after = _packet(old, one), _packet(new, other)
    places = {*one.written(old.explorer.world), *other.written(new.explorer.world)}.difference(RECORD if one.fate is Fate.HANDED else ())
    there = (terms.all_of((before.has(at + 1), terms.opposite(terms.equal(before.byte(at), after.byte(at))))) for at in sorted(places))
    described = _described(old, new, one, other) if one.fate is Fate.ANSWERED else ()
    return terms.any_of((*there, *described, terms.opposite(terms.equal(before.length, after.length))))


def _described(old: Router, new: Router, one: End, other: End) -> Iterator[Truth]:
    """The conditions under which the programs that answer find different descriptions of the packet. Of those on different hooks, only
    the offsets are compared."""
    places = {*_description(one), *_description(other)}.difference(CUT)
    for at in sorted(places if old.explorer.on_tc == new.explorer.on_tc else places.intersection(OFFSETS)):
        yield terms.opposite(terms.equal(_left(old, one, at), _left(new, other, at)))


def _description(end: End) -> Mapping[int, Word]:
    return end.state.memory.get((DESCRIPTION, None), {})


def _left(router: Router, end: End, at: int) -> Word:
    """A byte of the description that a path has left."""
    found = _description(end).get(at)
    return router.explorer.machine.initial(end.state, (DESCRIPTION, None), at) if found is None else found


def _packet(router: Router, end: End) -> Frame:
    """The packet as it leaves; one that is handed over or answered without the bytes of the frame's end that don't belong to it, as its
    record or description says."""
    frame, trim = router.explorer.after(end), 0
    if end.fate is Fate.HANDED:
        trim = terms.cat((48, 0), *((8, frame.byte(at)) for at in TRIM[::-1]))
    elif end.fate is Fate.ANSWERED:
        trim = terms.cat(*((8, _left(router, end, at)) for at in CUT[::-1]))
    return Frame(frame.byte, terms.subtract(64, frame.length, trim))


def _examine(old: Router, new: Router, device: str, one: End, other: End, truth: Truth, found: Comparison) -> None:
    treatment = _treatment(one)
    try:
        values = old.explorer.possible(truth, one, other)
    except Undecided:
        found.open.append(f"from {device}, {treatment}, now {_treatment(other)}: the solver gave up")
        return
    if values is None:
        return
    handed = {end.element for end in (one, other) if end.fate is Fate.HANDED}
    if old.explorer.on_tc != new.explorer.on_tc and handed and treatment != _treatment(other):
        found.apart |= handed
        return
    treated = [replay(router.explorer, device, values) for router in (old, new)]
    if _outcome(treated[0]) == _outcome(treated[1]):
        found.open.append(f"from {device}, {treatment}: a packet was found, but both routers treat it alike")
    else:
        found.differences.append(Difference(treatment, *treated))


def _outcome(example: Example) -> tuple:
    """The router's treatment of a packet; if it was handed over, the runtime's packets count instead of that fate."""
    return example.fate if example.fate is not Fate.HANDED else None, example.devices, example.after, example.later
