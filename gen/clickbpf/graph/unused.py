"""Reports ports without connections."""

from collections import Counter
from collections.abc import Iterator, Mapping
from itertools import groupby

from clickbpf.errors import Diagnostic, Diagnostics
from clickbpf.graph.codes import PULL, PUSH
from clickbpf.graph.ports import End, Shape, ends, exists
from clickbpf.graph.processing import Processing
from clickbpf.graph.recovery import Gap, Recovery
from clickbpf.graph.router import Element, Port, Router
from clickbpf.graph.tunnels import missing_arrow

#: For an element's inputs (False) or outputs (True), the first and last of each run of unused ports.
Runs = dict[tuple[str, bool], list[tuple[int, int]]]


def check_unused(
    router: Router, shapes: Mapping[str, Shape], processing: Mapping[str, Processing], found: Diagnostics, recovery: Recovery
) -> None:
    """Report unused ports; for an element without any connection, one report.

    An arrow that is missing between two elements is one report for both.  For each element that is missing in a statement, one unused
    element isn't reported.
    """
    used = {end for connection in router.connections for end in ends(connection)}
    confused = _confused(router, shapes, processing)
    unconnected = _runs_of(router, shapes, used, confused)
    unused = {end: runs for end, runs in unconnected.items() if end[0] not in recovery.incomplete}
    for gap in recovery.gaps:
        _check_gap(gap, shapes, unconnected, found, recovery)
    missed = _missed(shapes, used, unused, recovery.missing_elements)
    for element in router.elements:
        runs = [(is_output, run) for is_output in (False, True) for run in unused.get((element.name, is_output), ())]
        if element.name in missed:
            continue
        if len(runs) == 2 and all(_is_alone(element.name, side, used, shapes) for side in (False, True)):
            said = tuple(d for is_output, run in runs for d in _in_click(element, is_output, run))
            found.error(element.place, f"'{element.name}' is not connected", "connect it, or leave it out", said)
        else:
            for is_output, run in runs:
                found.error(element.place, *_unused(element, is_output, *run), _in_click(element, is_output, run))


def _missed(shapes: Mapping[str, Shape], used: set[End], unused: Runs, missing_elements: int) -> set[str]:
    """Named elements that have no connection on one side, as many as elements are missing in statements: they may be the missing ones."""
    alone = (name for (name, side), runs in unused.items() if runs and "@" not in name and _is_alone(name, side, used, shapes))
    return set(list(dict.fromkeys(alone))[:missing_elements])


def _is_alone(name: str, is_output: bool, used: set[End], shapes: Mapping[str, Shape]) -> bool:
    """Whether an element has no connection on one side."""
    shape = shapes.get(name)
    return shape is not None and all(End(Port(name, p), is_output) not in used for p in range(len(shape.modes(is_output))))


def _confused(router: Router, shapes: Mapping[str, Shape], processing: Mapping[str, Processing]) -> set[tuple[str, bool]]:
    """Sides of elements that use a port that doesn't exist, or one port too often: another, unused port may have been meant."""
    count = Counter(end for connection in router.connections for end in ends(connection))
    wrong = {end for end, n in count.items() if not exists(end, shapes) or (n > 1 and _is_single(end, processing))}
    return {(end.port.element, end.is_output) for end in wrong}


def _is_single(end: End, processing: Mapping[str, Processing]) -> bool:
    """Whether a port may have only one connection."""
    modes = processing.get(end.port.element)
    if modes is None:
        return False
    return modes.outputs[end.port.port] == PUSH if end.is_output else modes.inputs[end.port.port] == PULL


def _runs_of(router: Router, shapes: Mapping[str, Shape], used: set[End], confused: set[tuple[str, bool]]) -> Runs:
    found: Runs = {}
    for element in router.elements:
        if element.name not in shapes:
            continue
        for is_output in (False, True):
            if (element.name, is_output) not in confused:
                count = len(shapes[element.name].modes(is_output))
                unused = [port for port in range(count) if End(Port(element.name, port), is_output) not in used]
                found[element.name, is_output] = list(_runs(unused))
    return found


def _check_gap(gap: Gap, shapes: Mapping[str, Shape], unconnected: Runs, found: Diagnostics, recovery: Recovery) -> None:
    """Report a missing arrow if both elements have unconnected ports there, even if statements with mistakes may connect these. Ports
    beside an unknown element aren't reported as unconnected."""
    before, after = unconnected.get((gap.before, True)), unconnected.get((gap.after, False))
    if before and after:
        found.error(gap.place, *missing_arrow(gap.before, gap.after))
    known = [name in shapes and name not in recovery.incomplete for name in (gap.before, gap.after)]
    explained = [side for side, other, is_known in ((before, after, known[1]), (after, before, known[0])) if other or not is_known]
    for side in filter(None, explained):
        del side[0]


def _runs(numbers: list[int]) -> Iterator[tuple[int, int]]:
    """The first and last number of each run of consecutive numbers."""
    # Within a run, a number and its index differ by the same amount.
    for _, run in groupby(enumerate(numbers), lambda item: item[1] - item[0]):
        members = [number for _, number in run]
        yield members[0], members[-1]


def _in_click(element: Element, is_output: bool, run: tuple[int, int]) -> tuple[Diagnostic, ...]:
    """Click's reports, one for each port."""
    what = f"'{element.name} :: {element.class_name}' {'output' if is_output else 'input'}"
    return tuple(Diagnostic(element.place, f"{what} {port} unused") for port in range(run[0], run[1] + 1))


def _unused(element: Element, is_output: bool, first: int, last: int) -> tuple[str, str]:
    """Message and hint."""
    what, peer = ("output", "Discard") if is_output else ("input", "Idle")
    which, it = (f"{what} {first}", "it") if first == last else (f"{what}s {first} to {last}", "them")
    manual = f"; 'clickbpf doc {element.class_name}' says what it is for" if last and not is_output else ""
    verb = "is" if first == last else "are"
    return f"{which} of '{element.name}' {verb} not connected", f"connect {it} to {peer} if no packets are meant to pass{manual}"
