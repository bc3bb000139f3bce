"""How many packets pass each connection of a router, as far as an element counts them.

Elements count packets, connections don't. The rate of an element that counts is that of its only input (or, without inputs, of its
only output); and of an element with one connection on either side, which neither keeps nor makes packets, as many leave as enter, but for
those that it drops.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence

from clickbpf.frozen import frozen
from clickbpf.plan.values import ELIDED, Plan
from clickbpf.vocabulary.element import AGNOSTIC, PULL_TO_PUSH, Element
from clickbpf.vocabulary.state import PerThread, Private, Vars
from clickbpf.vocabulary.traits import COUNTS_OTHERWISE


def of_router(plan: Plan) -> Flows:
    """Classes that the kernel can run neither keep nor make packets, except those that copy; nor do those that count what they let
    through, or an elided Queue."""
    checked = plan.checked
    ends = [(each.source.element, each.target.element) for each in checked.router.connections]

    def conserves(name: str, element: Element) -> bool:
        return not element.copies() and (plan.placements[name].where == ELIDED or len(element.runs) > 1 or counts_packets(element))

    return Flows(ends, {name for name, element in checked.instances.items() if conserves(name, element)})


def counts_packets(element: Element) -> bool:
    """Whether the handler `count` is the number of packets that passed: a count by the action, of all packets received or
    sent."""
    kept = (kind for kind in element.state_types.values() if isinstance(kind, (PerThread, Private)))
    through = element.processing in (AGNOSTIC, PULL_TO_PUSH) or not (element.ninputs and element.noutputs)
    return through and is_of_packets(type(element)) and any(f.name == "count" for kind in kept for f in kind.fields)


def is_of_packets(class_: type[Element]) -> bool:
    """Whether a handler `count` of the class says how many packets there were, and not how many entries a table has (a field of what is
    learnt), or bytes."""
    learnt = (kind for kind in class_.state_types.values() if isinstance(kind, Vars))
    of_others = COUNTS_OTHERWISE in class_.traits or any(f.name == "count" for kind in learnt for f in kind.fields)
    return "count" in class_.handlers() and not of_others


@frozen
class Flow:
    """Packets a second; `counted` by the element at an end of the connection, or passed on from there."""

    rate: float
    counted: bool


class Flows:
    """The connections of a router by their numbers: (source element, target element) each. `conserving` are elements that neither
    keep nor make packets."""

    def __init__(self, connections: Sequence[tuple[str, str]], conserving: Collection[str]):
        self._inputs: dict[str, list[int]] = {}
        self._outputs: dict[str, list[int]] = {}
        for number, (source, target) in enumerate(connections):
            self._outputs.setdefault(source, []).append(number)
            self._inputs.setdefault(target, []).append(number)
        self._connections, self._conserving = connections, frozenset(conserving)

    def rates(self, counted: Mapping[str, float], dropped: Mapping[str, float]) -> dict[int, Flow]:
        """The connections whose rates are known, from packets a second that elements have counted and dropped."""
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
        """The connection on a side of an element through which what comes in goes out, if there is one on either side."""
        through = element in self._conserving and len(self._inputs.get(element, ())) == len(self._outputs.get(element, ())) == 1
        return side[element][0] if through else None
