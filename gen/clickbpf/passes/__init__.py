"""Passes: from a router to one that does the same with fewer elements.

A pass is a function of a flat router, the library of its elements' classes, and the names of elements that have to stay. It
returns a router that treats every packet as before, and whose remaining elements count as before. Removed elements have no
handlers: therefore nothing is optimised unless the user asks for it. The passes of `waiting.py`, the last level, also assume that
no packet has to wait.

The compiler rarely needs passes, since clang folds on a fused path what they would remove from the graph. They make large generated
configurations small, and are tools for configurations that run elsewhere.
"""

from collections.abc import Callable, Iterable

from clickbpf.args.context import Context
from clickbpf.graph.router import Router
from clickbpf.lang.config import words
from clickbpf.passes.branches import prune_branches
from clickbpf.passes.classifiers import combine_classifiers
from clickbpf.passes.constant import remove_nulls, remove_static_switches
from clickbpf.passes.dead import remove_dead, remove_unreachable
from clickbpf.passes.waiting import merge_queues, remove_drained
from clickbpf.vocabulary.library import Library

Pass = Callable[[Router, Library, frozenset[str]], Router]

#: The passes of `clickbpf undead`.
UNDEAD: tuple[Pass, ...] = (remove_nulls, remove_static_switches, remove_dead, prune_branches)
#: The compiler's passes at each level of optimisation.
LEVELS: tuple[tuple[Pass, ...], ...] = (
    (),
    (remove_nulls, remove_static_switches, remove_unreachable, prune_branches),
    (remove_nulls, remove_static_switches, remove_unreachable, prune_branches, combine_classifiers),
    (
        *(remove_nulls, remove_static_switches, remove_unreachable, prune_branches, combine_classifiers),
        *(merge_queues, remove_drained),
    ),
)


def apply(passes: Iterable[Pass], router: Router, library: Library, keep: frozenset[str] = frozenset()) -> Router:
    """Apply the passes one after another."""
    for run in passes:
        router = run(router, library, keep)
    return router


def optimise(router: Router, library: Library, level: int, keep: frozenset[str] = frozenset()) -> Router:
    """The router at a level of optimisation. Elements in `keep` stay, and those that are named in other elements' arguments."""
    if not level:
        return router
    found = {name for e in router.elements for name in map(Context(e.name, router).find, words(e.config))}
    return apply(LEVELS[level], router, library, frozenset((keep | found) & router.by_name.keys()))
