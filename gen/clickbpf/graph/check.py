"""The checked router: every element an instance of its class, every port known to be push or pull.

`check` reports all that is wrong with a router at once: classes, arguments, ports, push and pull, devices.  A mistake
is reported where it is made and not again where it shows.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from functools import cached_property
from types import MappingProxyType

from clickbpf.args.error import ArgError
from clickbpf.args.names import Names
from clickbpf.element import Element
from clickbpf.errors import Diagnostic, Diagnostics, reporting
from clickbpf.graph.configure import classes, configure
from clickbpf.graph.devices import check_devices
from clickbpf.graph.flow import Flow
from clickbpf.graph.ports import Shape, check_ports
from clickbpf.graph.processing import Processing, resolve
from clickbpf.graph.router import Router
from clickbpf.graph.unused import check_unused
from clickbpf.library import Library


@dataclass(frozen=True)
class CheckedRouter:
    """A router without mistakes, or what is sound of one whose mistakes were reported.

    `instances` and `processing` have the elements by name, in the router's order.
    """

    router: Router
    instances: Mapping[str, Element]
    processing: Mapping[str, Processing]
    shapes: Mapping[str, Shape] = field(repr=False)
    warnings: tuple[Diagnostic, ...] = ()

    @cached_property
    def flow(self) -> Flow:
        """Searches for elements along the flow of packets."""
        return Flow(self.instances, self.shapes, self.router.connections)


def check(router: Router, library: Library, names: Names | None = None, found: Diagnostics | None = None) -> CheckedRouter:
    """Check a router, or what is sound of it; what is wrong goes to `found`, else it is one ClickError."""
    with reporting(found, router.sources) as found:
        found.extend(router.warnings)
        known = classes(router, library, found)
        instances = configure(router, library, known, found, names)
        shapes = _shapes(router, {**known, **instances}, _flow_overrides(instances.values()))
        connections = check_ports(router, shapes, found)
        processing = resolve(router, shapes, connections, found)
        check_unused(router, shapes, processing, found)
        check_devices(router, instances, found)
    return CheckedRouter(router, MappingProxyType(instances), MappingProxyType(processing), MappingProxyType(shapes), found.warnings)


def _flow_overrides(instances: Iterable[Element]) -> dict[str, str]:
    """Flow codes that elements give to others (FlowInfo), by the others' names."""
    return {name: code for instance in instances for name, code in instance.flow_overrides().items()}


def _shapes(router: Router, elements: Mapping[str, Element | type[Element]], flows: Mapping[str, str]) -> dict[str, Shape]:
    """The shape of each element whose class is known; that of the class where there is no instance.

    What an instance may narrow down (`ports`) a class has to state in general, so its shape raises no false alarms.
    """
    shapes: dict[str, Shape] = {}
    for element in router.elements:
        if element.name in elements:
            try:
                shapes[element.name] = Shape.of(router, element.name, elements[element.name], flows.get(element.name))
            except ArgError:  # reported when the element was configured
                continue
    return shapes
