"""Combines several routers into one, connected where cables connect them, and extracts one of them again (click-combine).

A RouterLink represents a cable, in the place of the ToDevice of one router and the FromDevice of another; its arguments describe
them: `RouterLink(A out ToDevice, eth1, B in FromDevice, eth0)`, the senders first. No program runs a RouterLink; it is for tools
that look at a whole network, and pattern files can replace it.
"""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace

from clickbpf.errors import ClickError
from clickbpf.frozen import frozen
from clickbpf.graph.router import Connection, Element, Port, Router
from clickbpf.lang.config import split_args, split_words
from clickbpf.passes.order import as_written

LINK = "RouterLink"
SENDERS, RECEIVERS = ("ToDevice",), ("FromDevice", "PollDevice")


@frozen
class Device:
    """An element of a router, by the names of both."""

    router: str
    element: str

    @property
    def name(self) -> str:
        """Its name in the combined router."""
        return f"{self.router}/{self.element}"


@frozen
class RouterLink:
    """A connection from a device that sends to one that receives."""

    source: Device
    target: Device


def find_device(routers: Mapping[str, Router], router: str, name: str, classes: Sequence[str]) -> Device:
    """The element called `name`, or the one of these classes whose first argument is the device `name`."""
    if router not in routers:
        raise ClickError(f"no router named '{router}'", hint=f"the routers are {', '.join(routers)}" if routers else None)
    if name in routers[router]:
        return Device(router, name)
    found = [e for e in routers[router].elements if e.class_name in classes and [text for text, _ in e.args()][:1] == [name]]
    if len(found) != 1:
        what = "more than one" if found else "no"
        raise ClickError(f"router '{router}' has {what} element or device named '{name}'", hint=f"it has to be a {' or '.join(classes)}")
    return Device(router, found[0].name)


def combine(routers: Mapping[str, Router], links: Iterable[RouterLink]) -> Router:
    """One router, in which each element's name begins with the name of its router."""
    elements, connections = [], []
    for name, router in routers.items():
        elements += [replace(e, name=f"{name}/{e.name}") for e in router.elements]
        connections += [_within(name, connection) for connection in as_written(router).connections]
    whole = Router(tuple(elements), tuple(connections), requirements=_all(r.requirements for r in routers.values()))
    for number, (sources, targets) in enumerate(_cables(links), 1):
        whole = _cabled(whole, f"link{number}", sources, targets)
    return whole


def _within(router: str, connection: Connection) -> Connection:
    source, target = (Port(f"{router}/{port.element}", port.port) for port in (connection.source, connection.target))
    return replace(connection, source=source, target=target)


def _all(parts: Iterable[Iterable]) -> tuple:
    return tuple(dict.fromkeys(item for part in parts for item in part))


def _cables(links: Iterable[RouterLink]) -> list[tuple[list[Device], list[Device]]]:
    """Cables, each with its senders and receivers: links that share a device are one cable."""
    cables: list[tuple[list[Device], list[Device]]] = []
    for link in links:
        shared = [cable for cable in cables if link.source in cable[0] or link.target in cable[1]]
        merged = tuple(
            list(dict.fromkeys([device for cable in shared for device in cable[side]] + [own]))
            for side, own in enumerate((link.source, link.target))
        )
        cables = [cable for cable in cables if cable not in shared] + [merged]
    return cables


def _cabled(router: Router, name: str, sources: list[Device], targets: list[Device]) -> Router:
    config = ", ".join(_described(router, device) for device in (*sources, *targets))
    inputs = {device.name: Port(name, number) for number, device in enumerate(sources)}
    outputs = {device.name: Port(name, number) for number, device in enumerate(targets)}
    ends = {**inputs, **outputs}
    moved = []
    for connection in router.connections:
        target = inputs.get(connection.target.element, connection.target)
        source = outputs.get(connection.source.element, connection.source)
        moved.append(replace(connection, source=source, target=target))
    elements = (*(e for e in router.elements if e.name not in ends), Element(name, LINK, config))
    left = {e.name for e in elements}
    return replace(router, elements=elements, connections=tuple(c for c in moved if {c.source.element, c.target.element} <= left))


def _described(router: Router, device: Device) -> str:
    element = router.element(device.name)
    return f"{device.router} {device.element} {element.class_name}, {element.config}"


def uncombine(router: Router, components: Sequence[str], name: str) -> Router:
    """The component `name` of a combined router, with elements that tools have inserted into it since."""
    own = {element for element, owner in _owners(router, components).items() if owner == name}
    elements = [replace(e, name=e.name.removeprefix(f"{name}/")) for e in router.elements if e.name in own]
    inputs: dict[Port, Port] = {}
    outputs: dict[Port, Port] = {}
    for link in router.of_class(LINK):
        senders = router.n_inputs(link.name)
        for number, (device, class_name, config) in enumerate(_devices(link, components)):
            if device.router == name:
                elements.append(Element(device.element, class_name, config))
                side, port = (inputs, number) if number < senders else (outputs, number - senders)
                side[Port(link.name, port)] = Port(device.element)
    for element in own:
        for connection in (*router.connections_from(element), *router.connections_to(element)):
            for port, side in ((connection.source, outputs), (connection.target, inputs)):
                if port.element in own:
                    side[port] = Port(port.element.removeprefix(f"{name}/"), port.port)
    ends = ((outputs.get(c.source), inputs.get(c.target)) for c in router.connections)
    connections = tuple(Connection(source, target) for source, target in ends if source and target)
    return replace(router, elements=tuple(elements), connections=connections)


def cables(router: Router, components: Sequence[str]) -> dict[str, tuple[str, ...]]:
    """The devices that cables connect: by each that sends, those that receive its frames. Their names have those of routers in front:
    A.eth1."""
    found = {}
    for link in router.of_class(LINK):
        names = [f"{device.router}.{split_args(config)[0][0]}" for device, _, config in _devices(link, components)]
        senders = router.n_inputs(link.name)
        found |= dict.fromkeys(names[:senders], tuple(names[senders:]))
    return found


def components(router: Router) -> tuple[str, ...]:
    """The routers that were combined, by the names of elements."""
    return tuple(dict.fromkeys(e.name.partition("/")[0] for e in router.elements if "/" in e.name))


def _owners(router: Router, components: Sequence[str]) -> dict[str, str]:
    """The component that each element belongs to: by its name, or because it is connected to elements of that component."""
    links = {e.name for e in router.of_class(LINK)}
    owners = {e.name: e.name.partition("/")[0] for e in router.elements if "/" in e.name}
    owners = {element: owner for element, owner in owners.items() if owner in components}
    new = list(owners)
    while new:
        element = new.pop()
        beside = [c.target.element for c in router.connections_from(element)] + [c.source.element for c in router.connections_to(element)]
        for other in beside:
            if other not in owners and other not in links:
                owners[other] = owners[element]
                new.append(other)
    return owners


def _devices(link: Element, components: Sequence[str]) -> list[tuple[Device, str, str]]:
    """A link's devices, with their classes and arguments. A device begins at an argument of three words, the first of which is a
    component."""
    found: list[tuple[Device, str, list[str]]] = []
    for argument, _ in split_args(link.config):
        words = split_words(argument)
        if len(words) == 3 and words[0] in components:
            found.append((Device(words[0], words[1]), words[2], []))
        elif found:
            found[-1][2].append(argument)
    return [(device, class_name, ", ".join(arguments)) for device, class_name, arguments in found]
