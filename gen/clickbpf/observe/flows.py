"""The packet rate of each connection of a router, where counting elements make it known.

Elements count packets, connections don't. The rate of a counting element is the rate of its only input (or, without inputs, of its only
output). An element with one connection on either side that neither keeps nor makes packets has an output rate of its input rate less its
drops.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence

from clickbpf.frozen import frozen
from clickbpf.plan.values import ELIDED, Plan
from clickbpf.vocabulary.element import AGNOSTIC, PULL_TO_PUSH, Element
from clickbpf.vocabulary.state import PerThread, Private, Vars
from clickbpf.vocabulary.traits import COUNTS_OTHERWISE


def of_router(plan: Plan) -> Flows:
    """Find the elements that neither keep nor make packets: those that the kernel can run and that don't copy, those that count the
    packets they let through, and elided Queues."""
    checked = plan.checked
    ends = [(each.source.element, each.target.element) for each in checked.router.connections]

    def conserves(name: str, element: Element) -> bool:
        return not element.copies() and (plan.placements[name].where == ELIDED or len(element.runs) > 1 or counts_packets(element))

    return Flows(ends, {name for name, element in checked.instances.items() if conserves(name, element)})


def counts_packets(element: Element) -> bool:
    """Whether the handler `count` is the number of packets that passed, counted by the action for all packets received or sent."""
    kept = (kind for kind in element.state_types.values() if isinstance(kind, (PerThread, Private)))
    through = element.processing in (AGNOSTIC, PULL_TO_PUSH) or not (element.ninputs and element.noutputs)
    return through and is_of_packets(type(element)) and any(f.name == "count" for kind in kept for f in kind.fields)


def is_of_packets(class_: type[Element]) -> bool:
    """Whether a handler `count` of the class counts packets, rather than a table's entries (a field of learnt state) or bytes."""
    learnt = (kind for kind in class_.state_types.values() if isinstance(kind, Vars))
    of_others = COUNTS_OTHERWISE in class_.traits or any(f.name == "count" for kind in learnt for f in kind.fields)
    return "count" in class_.handlers() and not of_others


@frozen
class Flow:
    """Packets a second, `counted` by an element at an end of the connection or derived from another connection."""

    rate: float
    counted: bool


class Flows:
    """The connections of a router, (source element, target element) by number. `conserving` elements neither keep nor make packets."""

    def __init__(self, connections: Sequence[tuple[str, str]], conserving: Collection[str]):
        self._inputs: dict[str, list[int]] = {}
        self._outputs: dict[str, list[int]] = {}
        for number, (source, target) in enumerate(connections):
            self._outputs.setdefault(source, []).append(number)
            self._inputs.setdefault(target, []).append(number)
        self._connections, self._conserving = connections, frozenset(conserving)

    def rates(self, counted: Mapping[str, float], dropped: Mapping[str, float]) -> dict[int, Flow]:
        """The known rates of connections, from the packets a second that elements have counted and dropped."""
        found: dict[int, Flow] = {}
        for name, rate in counted.items():
            numbers = self._inputs.get(name) or self._outputs.get(name, [])
            if len(numbers) == 1:
                found[numbers[0]] = Flow(rate, True)
        pending = list(found)
        while pending:
            number = pending.pop()
            source, target = self._connections[number]
            for element, there, sign in (source, self._inputs, 1), (target, self._outputs, -1):
                other = self._alone(element, there)
                if other is not None and other not in found:
                    found[other] = Flow(max(0.0, found[number].rate + sign * dropped.get(element, 0.0)), False)
                    pending.append(other)
        return found

    def _alone(self, element: str, side: Mapping[str, list[int]]) -> int | None:
        """The connection on one side of a conserving element with a single connection on each side; otherwise None."""
        through = element in self._conserving and len(self._inputs.get(element, ())) == len(self._outputs.get(element, ())) == 1
        return side[element][0] if through else None
