"""Random graphs of elements: routers that nobody would write, but that all executors must run alike.

    text = random_graph(Random(7), Library.standard())

A graph begins at a device. Each further element is of a class that runs on both executors, has random arguments, and is connected to
outputs that were still open. At the end, the open outputs are connected to devices, some through a recorder, or to Discard. The graph has
no cycles.
"""

from collections.abc import Iterable
from dataclasses import dataclass, field
from functools import lru_cache
from random import Random

from clickbpf.compile import check_text
from clickbpf.errors import ClickError
from clickbpf.frozen import frozen
from clickbpf.graph.codes import PULL
from clickbpf.testing.examples import INDEFINITE, examples
from clickbpf.testing.graphs.arguments import ARGUMENTS
from clickbpf.testing.single import NAME, Surroundings
from clickbpf.vocabulary.library import Library

#: Classes left out: devices, which every graph has anyway; sinks; and classes that behave differently in each run.
EDGES = {"FromDevice", "FromDPDKDevice", "FromNetmapDevice", "FromHost", "ToDevice", "ToDPDKDevice", "ToNetmapDevice", "ToHost"}
UNUSED = {*EDGES, "Discard", "Idle", "UnstripIPHeader", *INDEFINITE}
#: Classes that only the runtime has: the kernel path hands over before them.
BEYOND_THE_KERNEL = ("Tee", "TimeRange")
#: Chains between the device and the first element, with weights out of 10.
BEGINNINGS = (
    ("{} :: Counter", 3),
    ("{} :: Strip(14)", 1),
    ("Strip(14) -> {} :: MarkIPHeader", 1),
    ("{} :: MarkIPHeader(14)", 2),
    ("Strip(14) -> {} :: CheckIPHeader", 3),
)
#: Ends for open outputs, with weights out of 10: the other device, the device that packets came from, a recorder of annotations, ...
ENDS = {
    "there": ("Queue -> ToDevice({}out)", 5),
    "back": ("Queue -> ToDevice({}in)", 2),
    "recorder": ("TestRecorder -> Queue -> ToDevice({}recorded)", 3),
}


@frozen
class Kind:
    """A class as its manual page uses it."""

    name: str
    element: str
    ninputs: int
    noutputs: int


@lru_cache(maxsize=4)
def kinds(library: Library) -> tuple[Kind, ...]:
    """The classes for graphs: those of the kernel path with an example that works alone, and those beyond the kernel."""
    names = [name for name in library.names() if name not in UNUSED and "xdp" in library.find(name).runs]
    used = [(name, found[0]) for name in (*names, *BEYOND_THE_KERNEL) if (found := examples(library.find(name), library))]
    made = (Kind(name, example.element, example.ninputs, max(example.noutputs, 1)) for name, example in used)
    return tuple(kind for kind in made if _can_be_pushed_through(kind, library))


def _can_be_pushed_through(kind: Kind, library: Library) -> bool:
    text = Surroundings(kind.element, kind.ninputs, kind.noutputs).text(record=False)
    try:
        checked = check_text(text, library)
    except ClickError:
        return False
    modes = checked.processing[NAME]
    return PULL not in (*modes.inputs, *modes.outputs)


@dataclass
class _Growing:
    """An unfinished graph: its statements, and the outputs that aren't connected yet."""

    random: Random
    prefix: str
    statements: list[str] = field(default_factory=list)
    open: list[str] = field(default_factory=list)
    elements: int = 0

    def begin(self, device: str) -> None:
        name = f"{self.prefix}start"
        self.statements.append(f"FromDevice({device}) -> {_weighted(self.random, BEGINNINGS).format(name)};")
        self.open = [f"{name}[0]"]

    def add(self, kind: Kind) -> None:
        """Add an element, and connect each of its inputs to one or more open outputs, as far as there are any."""
        name = f"{self.prefix}e{self.elements}"
        self.elements += 1
        text, noutputs = kind.element, kind.noutputs
        if kind.name in ARGUMENTS:
            arguments, noutputs = ARGUMENTS[kind.name](self.random)
            text = f"{kind.name}({arguments})"
        self.statements.append(f"{name} :: {text};")
        for port in range(kind.ninputs):
            sources = [self._take()] if self.open else []
            while self.open and self.random.random() < 0.15:
                sources.append(self._take())
            self.statements += [f"{source} -> [{port}] {name};" for source in sources or ["Idle"]]
        self.open += [f"{name}[{port}]" for port in range(noutputs)]

    def _take(self) -> str:
        """An open output, usually one of the latest, so that graphs become deep."""
        return self.open.pop(-1 if self.random.random() < 0.6 else self.random.randrange(len(self.open)))

    def end(self) -> None:
        """Connect open outputs to ends. Outputs with the same kind of end share one, since each element takes time to compile."""
        ends = [_weighted(self.random, ((end, often) for end, (_, often) in ENDS.items())) for _ in self.open]
        self.statements += [f"{self.prefix}{end} :: {ENDS[end][0].format(self.prefix)};" for end in dict.fromkeys(ends)]
        for port, (output, end) in enumerate(zip(self.open, ends)):
            target = f"[{ends[:port].count(end)}] " if end == "recorder" else ""
            self.statements.append(f"{output} -> {target}{self.prefix}{end};")
        self.open = []


def random_graph(random: Random, library: Library, prefix: str = "", size: int = 6) -> str:
    """A configuration around up to `size` elements; packets arrive on the device `<prefix>in`."""
    graph = _Growing(random, prefix)
    graph.begin(f"{prefix}in")
    for _ in range(random.randint(1, size)):
        if graph.open:
            graph.add(random.choice(kinds(library)))
    graph.end()
    return "\n".join(graph.statements) + "\n"


def random_router(seed: int, library: Library, graphs: int = 20, size: int = 6) -> str:
    """A configuration of that many graphs side by side, so that the compiler runs once for all of them."""
    random = Random(seed)
    return "\n".join(random_graph(random, library, f"g{number}_", size) for number in range(graphs))


def _weighted(random: Random, choices: Iterable[tuple[str, int]]) -> str:
    texts, weights = zip(*choices)
    return random.choices(texts, weights)[0]
