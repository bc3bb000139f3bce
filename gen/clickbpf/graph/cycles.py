"""Cycles of any directed graph."""

from collections.abc import Callable, Hashable, Iterable, Iterator
from typing import TypeVar

Node = TypeVar("Node", bound=Hashable)
Edge = TypeVar("Edge")


def back_edges(nodes: Iterable[Node], onward: Callable[[Node], Iterable[tuple[Node, Edge]]]) -> Iterator[Edge]:
    """The edges that close cycles: in a depth-first search from each of `nodes`, those that lead to a node on the present path.

    Without these edges there is no cycle.  `onward` gives (target, edge) for each edge that leaves a node.
    """
    done: set[Node] = set()
    for root in nodes:
        if root in done:
            continue
        path, stack = {root}, [(root, iter(onward(root)))]
        while stack:
            node, edges = stack[-1]
            target, edge = next(edges, (None, None))
            if target is None:
                stack.pop()
                path.discard(node)
                done.add(node)
            elif target in path:
                yield edge
            elif target not in done:
                path.add(target)
                stack.append((target, iter(onward(target))))
