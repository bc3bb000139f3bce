"""Connects the output ports of one hop of a chain to the input ports of the next.

If one side has one port, it is connected to all ports of the other side.  Many ports on both sides need `=>`, and are connected
in order.  A side with an open port list (`[]`, `[3,]`, or with `=>` a single element without a list) grows to the size of the other.
"""

from collections.abc import Callable

from clickbpf.frozen import frozen
from clickbpf.graph.definitions import Node, NodePort, count
from clickbpf.lang import ast


@frozen(slots=True)
class Side:
    """One item of a hop, with its ports at the arrow: None if none are written, `open` if the list has no end."""

    node: Node
    ports: tuple[int, ...] | None
    open: bool = False

    def ends(self, extra: int) -> list[NodePort]:
        """Its ports, with `extra` more after the last one."""
        ports = self.ports or (0,)
        more = range(ports[-1] + 1, ports[-1] + 1 + extra)
        return [NodePort(self.node, port) for port in (*ports, *more)]


#: Takes a message, a hint, and Click's message if it differs.
Report = Callable[..., None]


def numbers(ports: ast.Ports | None) -> tuple[int, ...] | None:
    """The ports in a port list, one by one; `[]` begins with 0."""
    if ports is None:
        return None
    found = tuple(n for r in ports.ranges for n in range(r.first, max(r.first, r.last) + 1))
    return found or (0,)


def pair(outputs: list[Side], inputs: list[Side], arrow: str, report: Report) -> list[tuple[NodePort, NodePort]]:
    """The connections from `outputs` to `inputs`; `report(message, hint)` says what is wrong."""
    sides = (outputs, inputs)
    need = [sum(len(side.ports or (0,)) for side in s) for s in sides]
    opened = [[side for side in s if side.open] for s in sides]
    if len(opened[0]) + len(opened[1]) > 1:
        report("at most one expandable port allowed per connection", "give the other port lists an end")
        return list(zip(_ends(outputs, None, 0), _ends(inputs, None, 0)))
    growing = [found[0] if found else None for found in opened]
    if arrow == "=>":
        for mine, other in ((0, 1), (1, 0)):
            if need[mine] == 1 and need[other] > 1 and sides[mine][0].ports is None:
                growing[mine] = sides[mine][0]

    many = [need[k] > 1 or growing[k] is not None for k in (0, 1)]
    if all(many):
        _check_many_to_many(need, growing, arrow, report)
    ends = [_ends(sides[k], growing[k], max(0, need[1 - k] - need[k]) if growing[k] else 0) for k in (0, 1)]
    if many[0] and not many[1]:
        return [(source, ends[1][0]) for source in ends[0]]
    if many[1] and not many[0]:
        return [(ends[0][0], target) for target in ends[1]]
    return list(zip(*ends))


def _ends(sides: list[Side], growing: Side | None, extra: int) -> list[NodePort]:
    return [end for side in sides for end in side.ends(extra if side is growing else 0)]


def _check_many_to_many(need, growing, arrow: str, report: Report) -> None:
    if arrow != "=>":
        report(
            "many-to-many connections require '=>'",
            "'->' connects one port to many or many to one; '=>' connects them in order",
            "syntax error: many-to-many connections require '=>'",
        )
    n_outputs, n_inputs = need
    if n_outputs == n_inputs:
        return
    if (n_outputs < n_inputs and growing[0]) or (n_inputs < n_outputs and growing[1]):
        return
    shown_outputs = count(n_outputs, "output") if not growing[0] else f"{n_outputs} or more outputs"
    shown_inputs = count(n_inputs, "input") if not growing[1] else f"{n_inputs} or more inputs"
    report(f"connection mismatch: {shown_outputs} connected to {shown_inputs}", None)
