"""Checks that `input` and `output` of compound elements and groups are used in one direction only, and without gaps."""

from collections.abc import Iterable

from clickbpf.errors import Diagnostics, Place
from clickbpf.graph.definitions import Node, NodeConnection


def check_pseudo(connections: Iterable[NodeConnection], input_: Node, output: Node, owner: str, place: Place, found: Diagnostics) -> None:
    """Report mistakes in the connections of `input` and `output` of `owner`, which is at `place`; these nodes are then incomplete."""
    if input_.incomplete or output.incomplete:
        return
    sources, targets = set(), set()
    for connection in connections:
        if connection.target.node is input_:
            found.error(connection.place, f"{owner} pseudoelement 'input' may only be used as output")
            input_.incomplete = True
        if connection.source.node is output:
            found.error(connection.place, f"{owner} pseudoelement 'output' may only be used as input")
            output.incomplete = True
        if connection.source.node is input_:
            sources.add(connection.source.port)
        if connection.target.node is output:
            targets.add(connection.target.port)
    for kind, node, used in (("input", input_, sources), ("output", output, targets)):
        for port in set(range(max(used, default=-1))) - used:
            found.error(place, f"{owner} {kind} {port} missing", "ports must be used without gaps")
            node.incomplete = True
