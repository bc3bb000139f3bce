"""What a pass knows about a router's elements: their classes, arguments and ports.

Passes work on unchecked routers, parts of which may be for other programs. In a class that the library doesn't have, packets are assumed
to go from any input to any output.
"""

from collections.abc import Iterable
from functools import cached_property

from clickbpf.args.error import ArgError
from clickbpf.errors import Diagnostics
from clickbpf.frozen import frozen
from clickbpf.graph.configure import classes, configure
from clickbpf.graph.ports import End, Shape, ends
from clickbpf.graph.router import Router
from clickbpf.vocabulary.element import Element
from clickbpf.vocabulary.library import Library
from clickbpf.vocabulary.roles import FlowCodes
from clickbpf.vocabulary.traits import STANDS_IDLE


@frozen
class Known:
    """A router, and what the library says about its elements."""

    router: Router
    library: Library

    @cached_property
    def classes(self) -> dict[str, type[Element]]:
        """The classes of elements by name; unknown ones are missing."""
        return classes(self.router, self.library, Diagnostics())

    @cached_property
    def instances(self) -> dict[str, Element]:
        """Configured elements by name; those with unknown classes or wrong arguments are missing."""
        return configure(self.router, self.library, self.classes, Diagnostics())

    @cached_property
    def shapes(self) -> dict[str, Shape]:
        giving = (instance for instance in self.instances.values() if isinstance(instance, FlowCodes))
        overrides = {name: code for instance in giving for name, code in instance.flow_overrides().items()}
        return {e.name: self._shape(e.name, overrides.get(e.name)) for e in self.router.elements}

    def _shape(self, name: str, flow: str | None) -> Shape:
        class_ = self.instances.get(name) or self.classes.get(name)
        if class_ is not None:
            try:
                return Shape.of(self.router, name, class_, flow)
            except ArgError:  # invalid codes, which checking the router reports
                pass
        return Shape.of(self.router, name, _Unknown, flow)

    def is_idle(self, name: str) -> bool:
        """Whether no packet is meant to pass the element's ports."""
        return name in self.classes and STANDS_IDLE in self.classes[name].traits

    def reached(self, starts: Iterable[End]) -> set[End]:
        """The ports that packets from these outputs reach; for inputs, the ports whose packets reach them."""
        joined: dict[End, list[End]] = {}
        for connection in self.router.connections:
            output, input_ = ends(connection)
            joined.setdefault(output, []).append(input_)
            joined.setdefault(input_, []).append(output)
        reached, new = set(starts), list(starts)
        while new:
            end = new.pop()
            for other in joined.get(end, ()):
                for following in (other, *self.shapes[other.port.element].through(other)):
                    if following not in reached:
                        reached.add(following)
                        if following.is_output == end.is_output:
                            new.append(following)
        return reached

    def beginnings(self, is_output: bool) -> list[End]:
        """The outputs that no packet from an input reaches (sources), or the inputs from which no packet leaves (sinks)."""
        used = {end for connection in self.router.connections for end in ends(connection) if end.is_output == is_output}
        return [
            end for end in used
            if not self.shapes[end.port.element].through(end) and not self.is_idle(end.port.element)
        ]  # fmt: skip


class _Unknown(Element):
    """A class about which nothing is known."""

    ports = "-/-"
