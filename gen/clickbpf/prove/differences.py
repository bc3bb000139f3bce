"""Whether two routers treat any packet differently, if tables of elements with the same name have the same contents."""

from collections.abc import Iterator
from dataclasses import dataclass

from clickbpf.prove import terms
from clickbpf.prove.answers import Router, Verdict
from clickbpf.prove.explore import End, Fate
from clickbpf.prove.replay import Example, replay
from clickbpf.prove.solver import Undecided
from clickbpf.prove.values import Term, Truth

#: The runtime goes on with such packets. Records of handovers begin with the router's hash and the element's number.
LATER, NUMBERS = (Fate.HANDED, Fate.ANSWERED), 6


@dataclass
class Difference:
    """A class of packets that the two routers treat differently; an example, and both treatments of it."""

    treatment: str
    old: Example
    new: Example


@dataclass
class Comparison:
    differences: list[Difference]
    open: list[str]

    @property
    def verdict(self) -> Verdict:
        return Verdict.REFUTED if self.differences else Verdict.UNDECIDED if self.open else Verdict.PROVED


def compare(old: Router, new: Router) -> Comparison:
    """The differences: for each treatment by the old router, packets that the new one treats differently."""
    found = Comparison([], [])
    devices = old.entries, new.entries
    for device in sorted(set(devices[0]) ^ set(devices[1])):
        found.open.append(f"only one of the routers receives from {device}")
    for device in (name for name in devices[0] if name in devices[1]):
        ends = [[end for _, end in router.of([device])] for router in (old, new)]
        found.open += [f"from {device}: {end.why}" for each in ends for end in each if end.fate is Fate.OPEN]
        later = [{end.element for end in each if end.fate in LATER} for each in ends]
        changed = sorted(element for element in set.intersection(*later) if _beyond(old, element) != _beyond(new, element))
        found.open += [f"from {device}: what follows {element} has changed, and isn't compared" for element in changed]
        for one, other, truth in _suspects(old, new, *ends):
            if _treatment(one) not in {each.treatment for each in found.differences}:
                _examine(old, new, device, one, other, truth, found)
    return found


def _suspects(old: Router, new: Router, before: list[End], after: list[End]) -> Iterator[tuple[End, End, Truth]]:
    """Pairs of paths, one of each router, that a packet may both take, and the condition under which their results differ."""
    for treatment in dict.fromkeys(map(_treatment, before)):
        same = [end for end in before if _treatment(end) == treatment]
        others = [end for end in after if _treatment(end) != treatment]
        ways = [terms.any_of(terms.all_of(end.state.conditions()) for end in each) for each in (same, others)]
        if _together(old, *ways):
            yield from ((one, other, True) for one in same for other in sorted(others, key=lambda end: list(Fate).index(end.fate)))
        for one in same:
            for other in (end for end in after if _treatment(end) == treatment and end.fate in (Fate.SENT, Fate.HOST, *LATER)):
                differs = _differs(old, new, one, other)
                if differs is not False:
                    yield one, other, differs


def _together(old: Router, *truths: Truth) -> bool:
    """Whether truths may hold together; True if that is hard to decide."""
    easy, solver = [terms.easier(truth) for truth in truths], old.explorer.solver
    try:
        if False in easy or solver.model((), *(truth for truth in easy if isinstance(truth, Term))) is None:
            return False
    except Undecided:
        pass
    return not solver.excludes([truth for truth in truths if isinstance(truth, Term)])


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
    before, after = old.explorer.after(one), new.explorer.after(other)
    own = range(NUMBERS if one.fate is Fate.HANDED else 0)
    places = sorted({*one.written(old.explorer.world), *other.written(new.explorer.world)}.difference(own))
    there = (terms.all_of((before.has(at + 1), terms.opposite(terms.equal(before.byte(at), after.byte(at))))) for at in places)
    return terms.any_of((*there, terms.opposite(terms.equal(before.length, after.length))))


def _examine(old: Router, new: Router, device: str, one: End, other: End, truth: Truth, found: Comparison) -> None:
    treatment = _treatment(one)
    try:
        values = old.explorer.possible(truth, one, other)
    except Undecided:
        found.open.append(f"from {device}, {treatment}, now {_treatment(other)}: the solver gave up")
        return
    if values is None:
        return
    treated = [replay(router.explorer, device, values) for router in (old, new)]
    if _outcome(treated[0]) == _outcome(treated[1]):
        found.open.append(f"from {device}, {treatment}: a packet was found, but both routers treat it alike")
    else:
        found.differences.append(Difference(treatment, *treated))


def _outcome(example: Example) -> tuple:
    """The router's treatment of a packet; if it was handed over, the runtime's packets count instead of that fate."""
    return example.fate if example.fate is not Fate.HANDED else None, example.devices, example.after, example.later
