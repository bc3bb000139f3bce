"""Passes: from a router to one that does the same with less.

A pass is a function of a flat router, the library of its elements' classes, and the names of elements that have to
stay; what it gives is a router that treats every packet as before, and whose other elements count as before. What is
gone has no handlers any more: that's why nothing is optimised unless it is asked for.

The compiler has little need of them, for clang folds on a fused path what passes take out of a graph. They make large
generated configurations small, and are tools for configurations that run elsewhere.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable

from clickbpf.graph.router import Router
from clickbpf.lang.config import words
from clickbpf.passes.branches import prune_branches
from clickbpf.passes.classifiers import combine_classifiers
from clickbpf.passes.constant import remove_nulls, remove_static_switches
from clickbpf.passes.dead import remove_dead, remove_unreachable
from clickbpf.vocabulary.library import Library

Pass = Callable[[Router, Library, frozenset[str]], Router]

#: What `clickbpf undead` does.
UNDEAD: tuple[Pass, ...] = (remove_nulls, remove_static_switches, remove_dead, prune_branches)
#: What the compiler does at each level of optimisation.
LEVELS: tuple[tuple[Pass, ...], ...] = (
    (),
    (remove_nulls, remove_static_switches, remove_unreachable, prune_branches),
    (remove_nulls, remove_static_switches, remove_unreachable, prune_branches, combine_classifiers),
)


def apply(passes: Iterable[Pass], router: Router, library: Library, keep: frozenset[str] = frozenset()) -> Router:
    """One pass after another."""
    for run in passes:
        router = run(router, library, keep)
    return router


def optimise(router: Router, library: Library, level: int) -> Router:
    """The router at a level of optimisation. Elements that others name in their arguments stay: they are asked for."""
    if not level:
        return router
    named = {word for element in router.elements for word in words(element.config)}
    return apply(LEVELS[level], router, library, frozenset(named & set(router.by_name)))
