"""Checks that each port of a compound element or group is used on both sides, or on neither."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field

from clickbpf.errors import Diagnostics, Place
from clickbpf.graph.definitions import Node, Tunnel


@dataclass(eq=False, slots=True)
class Spot:
    """A node in one instance of its definition.

    If it isn't an element, connections that enter it go on at `exit`: for a compound element or group its inner `input`, for an `output`
    the compound element or group itself.
    """

    name: str
    node: Node
    element: str | None = None
    exit: Spot | None = None
    wires: list[tuple[int, Spot, int, Place]] = field(default_factory=list)  # port, to, port, place
    entered: dict[int, Place] = field(default_factory=dict)  # input ports in use, and a place


@dataclass(frozen=True, eq=False, slots=True)
class Tunnelled:
    """A compound element or group, and its `input` and `output` inside."""

    outside: Spot
    input: Spot
    output: Spot

    @property
    def incomplete(self) -> bool:
        """Whether mistakes hide which ports are used."""
        return any(spot.node.incomplete for spot in (self.outside, self.input, self.output))

    @property
    def name(self) -> str:
        return "element group" if isinstance(self.outside.node.class_, Tunnel) else f"'{self.outside.name}'"


Besides = Iterable[tuple[Spot, Spot, Place]]


def check_tunnels(tunnels: Iterable[Tunnelled], beside: Besides, found: Diagnostics) -> None:
    """Report ports that are used on one side only; `beside` are pairs of spots between which an arrow may be missing.

    If a port that doesn't exist is used, and another isn't used, then that one was probably meant: this is one report.
    """
    preceding = {after: (before, place) for before, after, place in beside}
    following = {before: (after, place) for before, after, place in beside}
    for tunnel in tunnels:
        if tunnel.incomplete:
            continue
        outside = tunnel.outside
        for spot, gap, ends in (
            (tunnel.input, following.get(tunnel.input), lambda other: ("input", other.node.name)),
            (tunnel.output, preceding.get(tunnel.output), lambda other: (other.node.name, "output")),
        ):
            if gap and not spot.wires and not spot.entered:
                found.error(gap[1], *missing_arrow(*ends(gap[0])))
                gap[0].node.incomplete = spot.node.incomplete = True
        if tunnel.incomplete:
            continue
        _check("input", tunnel, outside.entered, _left(tunnel.input), preceding.get(outside), found)
        _check("output", tunnel, _left(outside), tunnel.output.entered, following.get(outside), found)


def _left(spot: Spot) -> dict[int, Place]:
    """The output ports in use, each with a place."""
    return {port: place for port, _, _, place in reversed(spot.wires)}


def _check(
    kind: str, tunnel: Tunnelled, used: dict[int, Place], made: dict[int, Place], gap: tuple[Spot, Place] | None, found: Diagnostics
) -> None:
    for port in used.keys() - made.keys():
        inside = f"input{f'[{port}]' if port else ''} -> ..." if kind == "input" else f"... -> {f'[{port}] ' if port else ''}output"
        found.error(used[port], f"{tunnel.name} has no {kind} {port}", f"what it consists of has to say '{inside}'")
    if used.keys() - made.keys():
        return
    for port in made.keys() - used.keys():
        if gap:
            neighbour, place = gap
            neighbour.node.incomplete = True
            ends = (neighbour.name, tunnel.outside.name) if kind == "input" else (tunnel.outside.name, neighbour.name)
            found.error(place, *missing_arrow(*ends))
        else:
            where = f"it is used inside, at {made[port]}"
            found.error(tunnel.outside.node.place, f"{tunnel.name} {kind} {port} unused", where)


def missing_arrow(before: str, after: str) -> tuple[str, str]:
    """Message and hint for two adjacent elements."""
    hint = "write '->' to connect them, or ';' between statements"
    return f"missing '->' between '{before}' and '{after}'", hint
