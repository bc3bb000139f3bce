"""How many packets pass each connection of a router, worked out from what its elements count.

Elements count packets, connections don't. An element that counts gives the sum of its inputs (or, without inputs, of its
outputs), and one that neither keeps nor makes packets sends as many as it got, except those that it dropped. These are equations;
each narrows the intervals in which the rates of connections can be, and they are applied until nothing changes.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from math import inf

from clickbpf.frozen import frozen
from clickbpf.plan.values import ELIDED, Plan
from clickbpf.vocabulary.element import AGNOSTIC, PULL_TO_PUSH, Element
from clickbpf.vocabulary.state import PerThread, Private

#: How wide an interval may be, relative to its upper end, for a rate to count as known. At a packet a second a range from none to one
#: says nothing about either of two branches, so a range in packets a second can't do.
SHARE = 0.1
#: Packets a second by which a bound has to move to count as narrower: elements aren't read at the same moment.
LEAST = 0.5
#: The most times that an element's equations are used.
VISITS = 6


def of_router(plan: Plan) -> Flows:
    """The equations of a router. Classes that the kernel can run neither keep nor make packets, except those that copy; nor do those
    that count what they let through, or an elided Queue. Other queues' contents are known from their lengths."""
    checked = plan.checked
    ends = [(each.source.element, each.target.element) for each in checked.router.connections]

    def conserves(name: str, element: Element) -> bool:
        if not element.ninputs or not element.noutputs or element.copies():
            return False
        return plan.placements[name].where == ELIDED or len(element.runs) > 1 or counts_packets(element)

    conserving = {name for name, element in checked.instances.items() if conserves(name, element)}
    return Flows(ends, conserving, {name for name, element in checked.instances.items() if element.storage} - conserving)


def counts_packets(element: Element) -> bool:
    """Whether the handler `count` is the number of packets that passed: a count by the action, of all packets received or
    sent."""
    if not element.counts_packets:
        return False
    kept = (kind for kind in element.state_types.values() if isinstance(kind, (PerThread, Private)))
    through = element.processing in (AGNOSTIC, PULL_TO_PUSH) or not (element.ninputs and element.noutputs)
    return through and "count" in element.handlers() and any(f.name == "count" for kind in kept for f in kind.fields)


@frozen
class Flow:
    """Packets a second; `counted` by an element that has no other connection on that side, or worked out."""

    rate: float
    counted: bool


class Flows:
    """The connections of a router by their numbers: (source element, target element) each. `conserving` are elements that neither
    keep nor make packets, `storages` those that keep what comes in until it goes out or is dropped."""

    def __init__(self, connections: Sequence[tuple[str, str]], conserving: Collection[str], storages: Collection[str] = ()):
        self._inputs: dict[str, list[int]] = {}
        self._outputs: dict[str, list[int]] = {}
        for number, (source, target) in enumerate(connections):
            self._outputs.setdefault(source, []).append(number)
            self._inputs.setdefault(target, []).append(number)
        self._connections, self._conserving, self._storages = connections, frozenset(conserving), frozenset(storages)
        self._elements = tuple(dict.fromkeys(name for pair in connections for name in pair))

    def rates(self, counted: Mapping[str, float], dropped: Mapping[str, float], kept: Mapping[str, float]) -> dict[int, Flow]:
        """The connections whose rates are known, from packets a second that elements have counted and dropped, and by which storages hold
        more than before (less, if negative)."""
        balanced = self._conserving | self._storages & kept.keys()
        low, high = [0.0] * len(self._connections), [inf] * len(self._connections)
        visits = dict.fromkeys(self._elements, 0)
        gone = {name: dropped.get(name, 0.0) + kept.get(name, 0.0) for name in balanced}
        pending = dict.fromkeys(name for name in self._elements if name in counted or gone.get(name))
        while pending:
            name = next(iter(pending))
            del pending[name]
            visits[name] += 1
            for number in self._narrow(name, counted.get(name), gone.get(name), low, high):
                for other in self._connections[number]:
                    if other != name and visits[other] < VISITS and (other in counted or other in gone):
                        pending[other] = None
        alone = self._alone(counted)
        known = (number for number in range(len(low)) if high[number] - low[number] <= SHARE * high[number] < inf)
        return {number: Flow((low[number] + high[number]) / 2, number in alone) for number in known}

    def _alone(self, counted: Mapping[str, float]) -> set[int]:
        """The connections that a counting element counts, together."""
        sides = (self._counts(name) for name in counted)
        return {numbers[0] for numbers in sides if len(numbers) == 1}

    def _counts(self, name: str) -> list[int]:
        return self._inputs.get(name) or self._outputs.get(name, [])

    def _narrow(self, name: str, count: float | None, gone: float | None, low: list[float], high: list[float]) -> list[int]:
        """Use an element's equations, `gone` being what comes in and doesn't go out, if that is known: the connections that
        more is known about."""
        inputs, outputs = self._inputs.get(name, ()), self._outputs.get(name, ())
        found: list[int] = []
        if count is not None:
            found += _sum(self._counts(name), count, count, low, high)
        if gone is not None and inputs and outputs:
            found += _sum(outputs, _total(low, inputs) - gone, _total(high, inputs) - gone, low, high)
            found += _sum(inputs, _total(low, outputs) + gone, _total(high, outputs) + gone, low, high)
        return found


def _total(rates: list[float], numbers: Sequence[int]) -> float:
    return rates[numbers[0]] if len(numbers) == 1 else sum([rates[n] for n in numbers])


def _sum(numbers: Sequence[int], least: float, most: float, low: list[float], high: list[float]) -> list[int]:
    """Narrow the intervals of connections whose rates have this sum; returns the connections whose intervals changed. Where that
    contradicts what is known, the newer bound is moved to the older one."""
    least, most = max(0.0, least), max(0.0, most)
    if len(numbers) == 1:
        return [numbers[0]] if _bound(numbers[0], least, most, low, high) else []
    lows, highs = _total(low, numbers), _total(high, numbers)
    found = []
    for n in numbers:
        others = highs - high[n] if highs < inf else sum(high[m] for m in numbers if m != n)
        if _bound(n, least - others, most - (lows - low[n]), low, high):
            found.append(n)
    return found


def _bound(number: int, below: float, above: float, low: list[float], high: list[float]) -> bool:
    """Whether these bounds narrow what is known of a connection's rate."""
    lower, upper = below > low[number] + LEAST, above < high[number] - LEAST
    if upper:
        high[number] = max(above, low[number], 0.0)
    if lower:
        low[number] = min(below, high[number])
    return lower or upper
