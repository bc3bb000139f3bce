"""The checked router: every element is an instance of its class, every port push or pull."""

from collections.abc import Mapping
from dataclasses import field, replace
from functools import cached_property
from itertools import accumulate

from clickbpf.args.bind import elided
from clickbpf.errors import Diagnostic
from clickbpf.frozen import frozen
from clickbpf.graph.flow import Flow
from clickbpf.graph.ports import Shape
from clickbpf.graph.processing import Processing
from clickbpf.graph.router import Router
from clickbpf.vocabulary.element import Element
from clickbpf.vocabulary.traits import NAMES_ANYWHERE


@frozen
class CheckedRouter:
    """A router without mistakes, or the sound parts of one whose mistakes were reported.

    `instances` and `processing` have the elements by name, in the router's order.
    """

    router: Router
    instances: Mapping[str, Element]
    processing: Mapping[str, Processing]
    shapes: Mapping[str, Shape] = field(repr=False)
    warnings: tuple[Diagnostic, ...] = ()

    def elided_config(self, name: str) -> str:
        """An element's arguments as clients see them that have no right to its secrets."""
        instance = self.instances[name]
        return elided(self.router.element(name).config, instance.args, NAMES_ANYWHERE in instance.traits)

    @property
    def without_secrets(self) -> Router:
        """The router with such arguments of all elements."""
        return replace(self.router, elements=tuple(replace(e, config=self.elided_config(e.name)) for e in self.router.elements))

    @cached_property
    def first_outputs(self) -> Mapping[str, int]:
        """All outputs are numbered, in the router's order: the number of each element's output 0."""
        return dict(zip(self.instances, accumulate((each.noutputs for each in self.instances.values()), initial=0)))

    @property
    def noutputs(self) -> int:
        """The number of all outputs."""
        return sum(each.noutputs for each in self.instances.values())

    @cached_property
    def flow(self) -> Flow:
        """Searches for elements along the flow of packets."""
        return Flow(self.instances, self.shapes, self.router.connections)
