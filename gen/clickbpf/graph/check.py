"""The checks: from a router to a checked router.

`check` reports all mistakes of a router at once: classes, arguments, ports, push and pull, devices, the driver. A router that passes
compiles. A mistake is reported where it was made, and not again where it has consequences.
"""

from collections.abc import Collection, Iterable, Mapping
from types import MappingProxyType

from clickbpf.args.error import ArgError
from clickbpf.args.names import Names
from clickbpf.errors import Diagnostics, reporting
from clickbpf.graph.checked import CheckedRouter
from clickbpf.graph.configure import classes, configure
from clickbpf.graph.dataflow import check_dataflow
from clickbpf.graph.devices import check_devices
from clickbpf.graph.driver import check_driver
from clickbpf.graph.loops import check_loops
from clickbpf.graph.ports import Shape, check_ports
from clickbpf.graph.processing import resolve
from clickbpf.graph.pulls import check_pulls
from clickbpf.graph.recovery import Recovery
from clickbpf.graph.router import Router
from clickbpf.graph.unused import check_unused
from clickbpf.vocabulary.element import Element
from clickbpf.vocabulary.library import Library
from clickbpf.vocabulary.roles import FlowCodes


def check(
    router: Router,
    library: Library,
    names: Names | None = None,
    found: Diagnostics | None = None,
    recovery: Recovery | None = None,
) -> CheckedRouter:
    """Check a router, or its sound parts. Mistakes are reported to `found`, or else raised as one ClickError."""
    recovery = recovery or Recovery()
    with reporting(found, router.sources) as found:
        found.extend(router.warnings)
        known = classes(router, library, found, recovery)
        instances = configure(router, library, known, found, names, recovery)
        elements = {**known, **instances}
        shapes = _shapes(router, elements, _flow_overrides(instances.values()), recovery.incomplete)
        connections = check_ports(router, shapes, found)
        processing, pulled = resolve(router, shapes, connections, found, recovery.incomplete)
        check_pulls(router, elements, shapes, pulled, found)
        check_unused(router, shapes, processing, found, recovery)
        check_devices(router, instances, found)
        if recovery.has_all_connections:
            check_dataflow(router, instances, found, recovery.incomplete)
        if not found.has_errors:
            check_loops(router, instances, found)
        check_driver(router, instances, found)
    return CheckedRouter(router, MappingProxyType(instances), MappingProxyType(processing), MappingProxyType(shapes), found.warnings)


def _flow_overrides(instances: Iterable[Element]) -> dict[str, str]:
    """Flow codes that elements (FlowInfo) define for other elements, by the names of these."""
    giving = (instance for instance in instances if isinstance(instance, FlowCodes))
    return {name: code for instance in giving for name, code in instance.flow_overrides().items()}


def _shapes(
    router: Router, elements: Mapping[str, Element | type[Element]], flows: Mapping[str, str], incomplete: Collection[str]
) -> dict[str, Shape]:
    """The shape of each element whose class is known, by its class where there is no instance.

    A class's `ports` allow all that its instances may have, so the class's shape causes no false reports.
    """
    shapes: dict[str, Shape] = {}
    for element in router.elements:
        if element.name in elements:
            try:
                flow = flows.get(element.name)
                shapes[element.name] = Shape.of(router, element.name, elements[element.name], flow, element.name in incomplete)
            except ArgError:  # already reported by configure()
                continue
    return shapes
