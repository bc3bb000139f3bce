"""C text of the kernel path for a way that only copies take: each element on it has one more function beside the one that takes packets
on. That function runs the element's action, and goes where the result says without a jump.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Iterable, Mapping, Set

from clickbpf.plan.values import ELIDED, Plan


class WayText(ABC):
    """`names` are the elements' identifiers in C, `shares` the numbers of their first inputs."""

    #: The functions' suffix, and the C type of what they return.
    way: str
    type: str
    #: The elements on the way.
    members: Set[str]

    def __init__(self, plan: Plan, names: Mapping[str, str], shares: Mapping[str, int]):
        self.plan, self.names, self.shares = plan, names, shares

    def prototype(self, name: str) -> str:
        return f"{self._declaration(name)};\n" if name in self.members else ""

    def member(self, name: str) -> str:
        """The function that takes a copy on from one of the element's inputs."""
        if name not in self.members:
            return ""
        exits = self.plan.exits(name)
        if self.plan.placements[name].where == ELIDED:
            (target,) = exits
            body = f"\treturn {self.on(name, target)};\n"
        else:
            body = self.action(name, "".join(self._case(name, target, ports) for target, ports in exits.items()))
        return f"\n{self._declaration(name)}\n{{\n{self._traced(name)}{body}}}\n"

    def on(self, name: str, exit: tuple[str, int] | None, packet: str = "p") -> str:
        """C expression that takes a copy on from an output."""
        if exit is None:
            return self.unconnected(name, packet)
        return f"{self.names[exit[0]]}_{self.way}({packet}, {exit[1]})"

    @abstractmethod
    def action(self, name: str, cases: str) -> str:
        """Body of the function: run the element's action; `cases` are those of its outputs."""

    @abstractmethod
    def unconnected(self, name: str, packet: str) -> str:
        """C expression for a copy that leaves by an output that leads nowhere."""

    def _case(self, name: str, target: tuple[str, int] | None, ports: Iterable[int]) -> str:
        labels = "".join(f"\tcase {port}:\n" for port in ports)
        return f"{labels}\t\treturn {self.on(name, target)};\n"

    def _declaration(self, name: str) -> str:
        return f"static __always_inline {self.type} {self.names[name]}_{self.way}(struct pkt *p, const int input)"

    def _traced(self, name: str) -> str:
        return f"\ttrace_packet(p, {self.plan.index[name]}, input, TRACED_INPUT, 0);\n" if self.plan.options.traces(name) else ""
