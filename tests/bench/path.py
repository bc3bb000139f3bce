"""What each element of the IP router's path costs by itself (the Click paper's Table II): BPF instructions and nanoseconds of one packet.

The path is made longer by one element at a time, from two devices with nothing between them to the whole; an element costs what the
path costs more than the one before. Costs add up to the whole path's. What the compiler saves because elements are neighbours is taken
off the later one, whose cost may be below 0.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import ExitStack
from functools import cache, partial

from tests.bench import executed
from tests.bench.effort import Effort
from tests.bench.kernel import NEXT_HOP, NEXT_MAC, packet
from tests.bench.loaded import REDIRECT, Loaded, Runs
from tests.bench.repeated import TIMES, repeated

WHOLE, DEVICES = "the whole path", "FromDevice, Queue, ToDevice"
#: The elements, as configs/iprouter.click has them; with outputs for packets that don't go on.
ELEMENTS = (
    "Classifier(12/0806 20/0001, 12/0806 20/0002, 12/0800, 12/86dd, -)",
    "Paint(1)",
    "Strip(14)",
    "CheckIPHeader(INTERFACES 10.0.0.1/24 10.0.1.1/24)",
    "GetIPAddress(16)",
    "StaticIPLookup(10.0.0.1/32 0, 10.0.0.255/32 0, 10.0.1.1/32 0, 10.0.1.255/32 0, 255.255.255.255/32 0, 10.0.0.0/24 1, 10.0.1.0/24 2,"
    " 0.0.0.0/0 10.0.0.254 1)",
    "DropBroadcasts",
    "PaintTee(2)",
    "IPGWOptions(10.0.1.1)",
    "FixIPSrc(10.0.1.1)",
    "DecIPTTL",
    "IPFragmenter(1500)",
    "ARPQuerier(10.0.1.1/24, 02:00:00:00:01:10)",
)
#: Outputs by which the packet goes on, where that isn't the first, and others that lead elsewhere.
GOES_ON = {"Classifier": 2, "StaticIPLookup": 2}
ELSEWHERE = {
    "Classifier": (0, 1, 3, 4),
    "StaticIPLookup": (0, 1),
    "PaintTee": (1,),
    "IPGWOptions": (1,),
    "DecIPTTL": (1,),
    "IPFragmenter": (1,),
}
REPEAT, RUNS = 1000, 20


def measure(effort: Effort) -> Iterator[tuple[str, list[float]]]:
    """(class, nanoseconds in each round)."""
    found = costs(effort)
    times = [nanoseconds for _, nanoseconds in found]
    yield WHOLE, times[-1]
    yield DEVICES, times[0]
    for element, before, after in zip(ELEMENTS, times, times[1:]):
        yield class_of(element), [late - early for early, late in zip(before, after)]


def count(effort: Effort) -> Iterator[tuple[str, float]]:
    """(class, instructions)."""
    counts = [instructions for instructions, _ in costs(effort)]
    yield WHOLE, counts[-1]
    yield DEVICES, counts[0]
    for element, before, after in zip(ELEMENTS, counts, counts[1:]):
        yield class_of(element), after - before


@cache
def costs(effort: Effort) -> list[tuple[int, list[float]]]:
    """Instructions, and nanoseconds in each round, of paths of 0, 1, 2, ... elements."""
    runs: Runs = {
        name: partial(repeated, program=program, frame=packet(), times=TIMES) for name, program in (("path", "xdp_in"), ("empty", None))
    }
    with ExitStack() as undo:
        paths = [Loaded.of_text(undo, text(number), runs) for number in range(len(ELEMENTS) + 1)]
        paths[-1].runtime.handlers.write("arpquerier", "insert", f"{NEXT_HOP} {NEXT_MAC}")
        instructions = [executed.executed(path.program(), packet()) for path in paths]
        rounds = [[least(path) for path in paths] for _ in range(effort.rounds)]
    return list(zip(instructions, map(list, zip(*rounds))))


def least(path: Loaded) -> float:
    """Nanoseconds of one packet, without those of restoring it."""
    if path.program().test_run(packet()).retval != REDIRECT:
        raise ValueError("a packet wasn't sent")
    found = {name: min(run.test_run(packet(), repeat=REPEAT).duration for _ in range(RUNS)) for name, run in path.runs.items()}
    return (found["path"] - found["empty"]) / TIMES


def text(number: int) -> str:
    """The router with the path's first elements, so many."""
    declared, way = written(number)
    names = {class_of(element) for element in ELEMENTS[:number]}
    whole = "" if names & {"Strip", "ARPQuerier"} != {"Strip"} else "Unstrip(14) -> "
    return f"{declared}FromDevice(in) {way}-> {whole}Queue -> ToDevice(out);"


def written(number: int = len(ELEMENTS), line: str = "") -> tuple[str, str]:
    """Declarations of the first elements, so many, whose names end in `line`; and the way through them, "-> a [0] -> b [0] "."""
    names = {class_of(element): f"{class_of(element).lower()}{line}" for element in ELEMENTS[:number]}
    lines = [f"{names[class_of(element)]} :: {element};" for element in ELEMENTS[:number]]
    lines += [f"{name}[{port}] -> Discard;" for made, name in names.items() for port in ELSEWHERE.get(made, ())]
    if "ARPQuerier" in names:
        lines.append(f"Idle -> [1] {names['ARPQuerier']};")
    way = "".join(f"-> {name} [{GOES_ON.get(made, 0)}] " for made, name in names.items())
    return "".join(f"{line}\n" for line in lines), way


def class_of(element: str) -> str:
    return element.partition("(")[0]
