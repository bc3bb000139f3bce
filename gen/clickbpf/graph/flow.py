"""Flow-based router context (Click's Router::visit): the elements that packets may meet before or after a port.

A search follows connections and, within elements, flow codes; it visits each port once, so cycles do no harm.  It finds the
nearest Queues of a RED, for example, or the tasks that a notifier wakes.
"""

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from typing import Protocol

from clickbpf.graph.ports import End, Shape, ends
from clickbpf.graph.router import Connection, Port
from clickbpf.vocabulary.element import Element

Matches = Callable[[Element], bool]


class Visitor(Protocol):
    def __call__(self, end: End, source: End, distance: int) -> bool:
        """Called once for each port, breadth first; returns whether to go on through the port's element.

        `source` is a port that it was reached from, `distance` the least number of connections to it.
        """


class Flow:
    """Searches in one router."""

    def __init__(self, instances: Mapping[str, Element], shapes: Mapping[str, Shape], connections: Iterable[Connection]):
        self._instances, self._shapes = instances, shapes
        self._joined: dict[End, list[End]] = {}
        for connection in connections:
            output, input_ = ends(connection)
            self._joined.setdefault(output, []).append(input_)
            self._joined.setdefault(input_, []).append(output)
        self._onward: dict[End, list[End]] = {}

    def visit(self, element: str, downstream: bool, visitor: Visitor, port: int | None = None) -> None:
        """Search downstream from the outputs of an element, or upstream from its inputs: from one port or from all."""
        count = len(self._shapes[element].modes(downstream))
        starts = [End(Port(element, p), downstream) for p in range(count) if port in (None, p)]
        reached: set[End] = set()
        distance = 0
        while starts:
            distance += 1
            following: list[End] = []
            for start in starts:
                for end in self._joined.get(start, ()):
                    if end not in reached:
                        reached.add(end)
                        if visitor(end, start, distance):
                            following += self._through(end)
            starts = following

    def goes_on(self, end: End) -> bool:
        """Whether packets that enter the element here may leave it again, by its flow code."""
        return bool(self._through(end))

    def _through(self, end: End) -> list[End]:
        """The ports on the other side of the element, which are remembered for later searches."""
        found = self._onward.get(end)
        if found is None:
            found = self._onward[end] = self._shapes[end.port.element].through(end)
        return found

    def nearest(self, element: str, downstream: bool, matches: Matches, port: int | None = None) -> list[Element]:
        """The elements that match, by distance, without those beyond another match."""
        search = _Search(self._instances, matches)
        self.visit(element, downstream, search, port)
        return list(search.found)

    def downstream(self, element: str, matches: Matches, port: int | None = None) -> list[Element]:
        """The nearest elements after an output (or all outputs) that match."""
        return self.nearest(element, True, matches, port)

    def upstream(self, element: str, matches: Matches) -> list[Element]:
        """The nearest elements before the inputs that match."""
        return self.nearest(element, False, matches)

    def reachable(self, element: str, downstream: bool) -> list[Element]:
        """All elements that packets may meet, by distance."""
        met: dict[Element, None] = {}

        def meet(end: End, source: End, distance: int) -> bool:
            met[self._instances[end.port.element]] = None
            return True

        self.visit(element, downstream, meet)
        return list(met)


@dataclass
class _Search:
    """A visitor that collects the elements that match, and doesn't go beyond them."""

    instances: Mapping[str, Element]
    matches: Matches

    def __post_init__(self):
        self.found: dict[Element, None] = {}

    def __call__(self, end: End, source: End, distance: int) -> bool:
        element = self.instances[end.port.element]
        if not self.matches(element):
            return True
        self.found[element] = None
        return False
