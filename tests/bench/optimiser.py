"""What the compiler's fusion and the transformations of Click's optimisation paper (its Figure 9) do for the IP router: nanoseconds of one
packet through the kernel path, with each of them alone, and with all together.

Each element has a program of its own (`--chain`) unless they are fused into one. `fastclassifier` joins Classifiers, `xform` replaces rows
of elements by single ones (configs/papers/lib/combos.clickpat), `-O3` are all passes of the compiler.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import ExitStack
from functools import partial

from tests.bench.anchor import ROUTER
from tests.bench.anchor import Router as Anchored
from tests.bench.effort import Effort
from tests.bench.kernel import NEXT_HOP, NEXT_MAC, packet
from tests.bench.loaded import REDIRECT
from tests.bench.repeated import TIMES, TIMES_IN_CHAINS, repeated

from clickbpf.args.devices import Devices
from clickbpf.args.names import Names
from clickbpf.graph.check import check
from clickbpf.graph.elaborate import read_file
from clickbpf.graph.router import Router
from clickbpf.passes import optimise
from clickbpf.passes.classifiers import combine_classifiers
from clickbpf.passes.patterns import read_patterns
from clickbpf.passes.xform import transform
from clickbpf.plan import Options
from clickbpf.vocabulary.library import Library

COMBOS = ROUTER.parent / "papers" / "lib" / "combos.clickpat"
LIBRARY = Library.standard()
Change = Callable[[Router], Router]


def combos(router: Router) -> Router:
    return transform(router, read_patterns(str(COMBOS)))


def classifiers(router: Router) -> Router:
    return combine_classifiers(router, LIBRARY)


def passes(router: Router) -> Router:
    return optimise(router, LIBRARY, 3)


NOTHING, ALL = "no optimisation, a program each", "all of them"
#: What is done to the configuration, one after the other, and whether the elements are fused.
CASES: dict[str, tuple[tuple[Change, ...], bool]] = {
    NOTHING: ((), False),
    "fastclassifier": ((classifiers,), False),
    "xform": ((combos,), False),
    "-O3": ((passes,), False),
    "fastclassifier, xform and -O3": ((combos, classifiers, passes), False),
    "fusion": ((), True),
    "fusion and xform": ((combos,), True),
    "fusion and -O3": ((passes,), True),
    ALL: ((combos, classifiers, passes), True),
}
REPEAT, RUNS = 1000, 20
EMPTY = "empty"


def measure(effort: Effort) -> Iterator[tuple[str, list[float]]]:
    """(what is done, nanoseconds in each round)."""
    with ExitStack() as undo:
        names = list(CASES) if effort.points >= len(CASES) else [NOTHING, ALL]
        routers = {name: loaded(undo, name) for name in names}
        rounds: dict[str, list[float]] = {name: [] for name in names}
        for _ in range(effort.rounds):
            for name, router in routers.items():
                rounds[name].append(cost(router, name))
        yield from rounds.items()


def times(name: str) -> int:
    """How many packets of a run: tail calls are limited."""
    return TIMES if CASES[name][1] else TIMES_IN_CHAINS


def loaded(undo: ExitStack, name: str) -> Anchored:
    changes, fused = CASES[name]
    router = read_file(ROUTER, LIBRARY)
    for change in changes:
        router = change(router)
    again = {
        title: partial(repeated, program=program, frame=packet(), times=times(name))
        for title, program in ((name, "xdp_eth0"), (EMPTY, None))
    }
    return Anchored(undo, Options(chain=not fused), again, check(router, LIBRARY, Names(Devices({}))))


def cost(router: Anchored, name: str) -> float:
    """Nanoseconds of one packet, without those of restoring it."""
    router.know(1, NEXT_HOP, NEXT_MAC)
    runs = {title: [program.test_run(packet(), repeat=REPEAT) for _ in range(RUNS)] for title, program in router.runs.items()}
    if {run.retval for run in runs[name]} != {REDIRECT}:
        raise ValueError(f"{name}: packets weren't sent")
    least = {title: min(run.duration for run in found) for title, found in runs.items()}
    return (least[name] - least[EMPTY]) / times(name)
