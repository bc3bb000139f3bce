"""Cycles of any directed graph."""

from collections.abc import Callable, Hashable, Iterable, Iterator
from typing import TypeVar

Node = TypeVar("Node", bound=Hashable)
Edge = TypeVar("Edge")


def back_edges(nodes: Iterable[Node], onward: Callable[[Node], Iterable[tuple[Node, Edge]]]) -> Iterator[Edge]:
    """The edges that lead back to a node on the way to themselves, by depth-first search from each of `nodes` in turn.

    Without these edges there is no cycle.  `onward` gives the edges that leave a node, with their other ends.
    """
    done: set[Node] = set()
    for root in nodes:
        if root in done:
            continue
        way, stack = {root}, [(root, iter(onward(root)))]
        while stack:
            node, edges = stack[-1]
            target, edge = next(edges, (None, None))
            if target is None:
                stack.pop()
                way.discard(node)
                done.add(node)
            elif target in way:
                yield edge
            elif target not in done:
                way.add(target)
                stack.append((target, iter(onward(target))))
