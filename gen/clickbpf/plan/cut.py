"""Cuts: which elements of the kernel path become programs of their own, entered by tail call, and why.

Every element is inlined where it is called, so an element on several paths is compiled several times. This costs nothing at run time
until a program grows beyond what the verifier or a jump can take; then the program is cut where a cut saves most. A program whose
elements have more tables than a program may use maps is cut, too. Loops are cut because inlining them would never end. Where the paths of
many devices join, what follows would be compiled again for each of them: where a cut saves very much of that, it is made.

Elements that few packets meet (SELDOM) are programs of their own, and enter what follows them by tail calls. So they cost other packets
nothing: a loop through such an element, such as that of an ICMP error back into the routing table, isn't cut elsewhere, and the elements
that it leads back to stay inlined for other packets.
"""

from collections import Counter
from collections.abc import Callable, Collection, Iterable, Iterator
from dataclasses import field

from clickbpf.frozen import frozen
from clickbpf.graph.cycles import back_edges
from clickbpf.objects.hooks import MOST_MAPS

#: Instructions of a tail call, including those that store the packet's description for the next program.
JUMP_WEIGHT = 60
#: The most maps that a program's elements may have as tables. The rest is for state that elements share, and for bpf/.
MOST_TABLES = MOST_MAPS - 20
#: Instructions that are worth a tail call if they are compiled that much less.
WORTH_A_JUMP = 12_000

Graph = dict[str, tuple[str, ...]]


@frozen
class Cuts:
    """Elements with programs of their own -> the reason. Those in `before` are entered by tail calls only; those in `rejoined` by tail
    calls from elements that few packets meet, while everywhere else they are inlined."""

    before: dict[str, str]
    rejoined: dict[str, str] = field(default_factory=dict)


def cuts(
    graph: Graph,
    entries: Iterable[str],
    weight: Callable[[str], int],
    limit: int,
    everything: bool = False,
    seldom: Collection[str] = (),
    tables: Callable[[str], frozenset] = lambda name: frozenset(),
) -> Cuts:
    """Decide where to cut.

    `graph` maps an element to its successors, once for each connection; `entries` are entered from devices; few packets meet the
    elements in `seldom`; `tables` gives the maps of an element's own that it uses.
    """
    entries = tuple(entries)
    if everything:
        return Cuts({name: "--chain: every element has a program of its own" for name in graph if name not in entries})
    rejoined = {target: f"packets come back to it from {name}" for name in seldom for target in graph[name]}
    graph = without_edges(graph, seldom)
    found = {name: "few packets meet it" for name in seldom}
    found |= {name: "part of a loop" for name in back_edge_targets(graph, (*entries, *rejoined)) if name not in found}
    while True:
        sizes, used = expanded_sizes(graph, weight, found), expanded_tables(graph, tables, found)
        for root in (*entries, *found, *rejoined):
            if sizes[root] > limit and (best := best_cut(graph, root, sizes, found, limit)) is not None:
                found[best] = f"inlined into {root} it would make a program of about {sizes[root]} instructions"
                break
            if len(used[root]) > MOST_TABLES and (best := best_for_tables(graph, root, used, found)) is not None:
                found[best] = f"inlined into {root} it would make a program that uses {len(used[root])} tables"
                break
        else:
            best, saved = most_repeated(graph, (*entries, *found, *rejoined), sizes, found)
            if saved <= WORTH_A_JUMP:
                return Cuts(found, {name: reason for name, reason in rejoined.items() if name not in found})
            found[best] = f"inlined wherever paths lead to it, it would be compiled as about {saved} instructions more"


def without_edges(graph: Graph, sources: Collection[str]) -> Graph:
    """The graph without the edges that leave these elements."""
    return {name: () if name in sources else targets for name, targets in graph.items()}


def back_edge_targets(graph: Graph, entries: Iterable[str]) -> list[str]:
    """Elements where a loop closes, seen from the entries."""
    return list(dict.fromkeys(back_edges(entries, lambda name: ((following, following) for following in graph[name]))))


def expanded_sizes(graph: Graph, weight: Callable[[str], int], cut: Iterable[str]) -> dict[str, int]:
    """Estimated instructions of each element with all that is inlined after it."""
    cut = set(cut)
    sizes: dict[str, int] = {}
    for name in backwards(graph, cut):
        sizes[name] = weight(name) + sum(JUMP_WEIGHT if s in cut else sizes[s] for s in graph[name])
    return sizes


def expanded_tables(graph: Graph, tables: Callable[[str], frozenset], cut: Iterable[str]) -> dict[str, frozenset]:
    """The tables of each element and of all that is inlined after it."""
    cut = set(cut)
    used: dict[str, frozenset] = {}
    for name in backwards(graph, cut):
        used[name] = tables(name).union(*(used[s] for s in graph[name] if s not in cut))
    return used


def backwards(graph: Graph, cut: set[str]) -> Iterator[str]:
    """All elements, each after those that are inlined after it."""
    done: set[str] = set()
    for root in graph:
        pending = [root]
        while pending:
            name = pending[-1]
            missing = [s for s in graph[name] if s not in done and s not in cut]
            if missing:
                pending.extend(missing)
                continue
            pending.pop()
            if name not in done:
                done.add(name)
                yield name


def best_cut(graph: Graph, root: str, sizes: dict[str, int], cut: Iterable[str], limit: int) -> str | None:
    """The element whose cut saves `root`'s program most. If each occurs only once, the one whose size is nearest to half the limit."""
    copies = count_copies(graph, root, cut)
    copies.pop(root)
    candidates = {name: (n - 1) * sizes[name] for name, n in copies.items() if sizes[name] > JUMP_WEIGHT}
    if not candidates:
        return None
    shared = max(candidates, key=candidates.__getitem__)
    if candidates[shared] > 0:
        return shared
    return min(candidates, key=lambda name: abs(sizes[name] - limit // 2))


def most_repeated(graph: Graph, roots: Collection[str], sizes: dict[str, int], cut: Iterable[str]) -> tuple[str, int]:
    """The element whose cut saves most of all programs, and how many instructions."""
    copies = sum((count_copies(graph, root, cut) for root in roots), Counter())
    savings = {name: (n - 1) * sizes[name] for name, n in copies.items() if name not in roots}
    return max(savings.items(), key=lambda saving: saving[1], default=("", 0))


def best_for_tables(graph: Graph, root: str, used: dict[str, frozenset], cut: Iterable[str]) -> str | None:
    """The element in `root`'s program whose own program would use as many tables as are allowed, or as few more as possible."""
    inside = [name for name in count_copies(graph, root, cut) if name != root and used[name]]
    return min(inside, key=lambda name: (len(used[name]) > MOST_TABLES, abs(len(used[name]) - MOST_TABLES)), default=None)


def count_copies(graph: Graph, root: str, cut: Iterable[str]) -> Counter:
    """How often each element is inlined in the program that starts at `root`."""
    cut = set(cut) - {root}
    copies = Counter({root: 1})
    for name in topological(graph, root, cut):
        for successor in graph[name]:
            if successor not in cut and successor != root:
                copies[successor] += copies[name]
    return copies


def topological(graph: Graph, root: str, cut: set[str]) -> list[str]:
    """The elements of one program, each before its successors."""
    order: list[str] = []
    seen: set[str] = {root}
    path = [(root, iter(graph[root]))]
    while path:
        name, successors = path[-1]
        following = next(successors, None)
        if following is None:
            path.pop()
            order.append(name)
        elif following not in seen and following not in cut:
            seen.add(following)
            path.append((following, iter(graph[following])))
    return order[::-1]
