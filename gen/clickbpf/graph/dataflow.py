"""Follows the form of packets from element to element, and warns of elements that can't use any packet that reaches them.

Facts about packets spread from sources along connections (`Element.gives`), so that each input has a set of forms. There is a warning if
all of them lack something that the class needs (`Element.takes`). A class that declares nothing about its packets silences those after it,
and so does an element with a mistake, or one that may have more connections than are known.
"""

from collections.abc import Collection, Mapping

from clickbpf.errors import NOTHING, Diagnostics
from clickbpf.graph.router import Port, Router
from clickbpf.vocabulary.element import Element
from clickbpf.vocabulary.forms import ANY, ETHERNET, NETWORK, Form

#: The reports: (fact, wanted value) -> (what is wrong, what would be right). Of several, the first is reported.
REPORTS = {
    ("begins", NETWORK): ("packets that come here begin with their Ethernet header", "put Strip(14) before it"),
    ("begins", ETHERNET): ("packets that come here have no Ethernet header", "put EtherEncap or ARPQuerier before it"),
    ("marked", True): ("the IP header of packets that come here isn't marked", "put CheckIPHeader before it, or CheckIP6Header for IPv6"),
    ("needs", "DST_IP"): (
        "the destination address annotation of packets that come here isn't set",
        "put CheckIPHeader or GetIPAddress(16) before it",
    ),
    ("needs", "DST_IP6"): (
        "the destination address annotation of packets that come here isn't set",
        "put CheckIP6Header or GetIP6Address(24) before it",
    ),
    ("needs", "IPSEC_SA_DATA_REFERENCE"): (
        "packets that come here have no IPsec security association",
        "put RadixIPsecLookup before it, or give it an SPI or a key of its own",
    ),
}


def check_dataflow(router: Router, instances: Mapping[str, Element], found: Diagnostics, incomplete: Collection[str] = ()) -> None:
    """Warn of elements that can use none of their packets. Elements with mistakes aren't among the instances; those that may have more
    connections are `incomplete`."""
    sound = {name: instance for name, instance in instances.items() if name not in incomplete}
    reached = _forms(router, sound)
    for element in router.elements:
        instance = sound.get(element.name)
        for port in range(instance.ninputs if instance else 0):
            wrong = _wrong(instance, port, reached.get(Port(element.name, port), set()))
            if wrong:
                message, hint = REPORTS[wrong]
                found.warning(element.place, f"'{element.name}' can use no packet: {message}", hint, (NOTHING,))
                break


def _wrong(element: Element, port: int, forms: set[Form]) -> tuple[str, str | bool] | None:
    """The first of REPORTS that all forms lack; None if there is none."""
    if not element.takes or not forms:
        return None
    wanted = element.takes[min(port, len(element.takes) - 1)]
    lacking = set.intersection(*(set(form.lacks(wanted)) for form in forms))
    return next((fact for fact in REPORTS if fact in lacking), None)


def _forms(router: Router, instances: Mapping[str, Element]) -> dict[Port, set[Form]]:
    """The forms of the packets at each input; inputs that no packet reaches are missing."""
    targets: dict[str, list[tuple[int, Port]]] = {}
    for connection in router.connections:
        targets.setdefault(connection.source.element, []).append((connection.source.port, connection.target))
    reached: dict[Port, set[Form]] = {}
    begins = (name for name in targets if name not in instances or not router.n_inputs(name))
    pending: list[tuple[str, int, Form | None]] = [(name, 0, None) for name in begins]
    while pending:
        name, arrived, form = pending.pop()
        for output, port in targets.get(name, ()):
            sent = _sent_on(instances[name], arrived, form, output) if name in instances else ANY
            if sent and sent not in reached.setdefault(port, set()):
                reached[port].add(sent)
                if port.element in instances:
                    pending.append((port.element, port.port, sent))
    return reached


def _sent_on(element: Element, port: int, form: Form | None, output: int) -> Form | None:
    """The form of packets that leave an element by an output. Packets that it can't use are reported once, so ANY form leaves it."""
    if form is None:
        return element.gives_by(output, None)
    if _wrong(element, port, {form}):
        return ANY
    sent = element.gives_by(output, form)
    return sent and sent.changed(unset=form.unset).with_set(element.annotations_written())
