"""`input` and `output` of compound elements and groups are used from the right side only, and without gaps."""

from __future__ import annotations

from collections.abc import Iterable

from clickbpf.errors import Diagnostics, Place
from clickbpf.graph.definitions import Link, Node


def check_pseudo(links: Iterable[Link], input_: Node, output: Node, owner: str, place: Place, found: Diagnostics) -> None:
    """Report what is wrong with the links of `owner`, which is at `place`; then it isn't known which ports were meant."""
    if input_.loose or output.loose:
        return
    sources, targets = set(), set()
    for link in links:
        if link.target.node is input_:
            found.error(link.place, f"{owner} pseudoelement 'input' may only be used as output")
            input_.loose = True
        if link.source.node is output:
            found.error(link.place, f"{owner} pseudoelement 'output' may only be used as input")
            output.loose = True
        if link.source.node is input_:
            sources.add(link.source.port)
        if link.target.node is output:
            targets.add(link.target.port)
    for kind, node, used in (("input", input_, sources), ("output", output, targets)):
        for port in set(range(max(used, default=-1))) - used:
            found.error(place, f"{owner} {kind} {port} missing", "ports must be used without gaps")
            node.loose = True
