"""Reports pulls that can't work: on cycles of pull connections, and from elements that can't know which input to pull from."""

from collections.abc import Collection, Iterator, Mapping

from clickbpf.errors import Diagnostics
from clickbpf.graph.cycles import back_edges
from clickbpf.graph.ports import End, Shape, ends
from clickbpf.graph.router import Connection, Port, Router
from clickbpf.vocabulary.element import Element

Elements = Mapping[str, "Element | type[Element]"]


def check_pulls(router: Router, elements: Elements, shapes: Mapping[str, Shape], pulled: Collection[End], found: Diagnostics) -> None:
    """Report both mistakes.  `pulled` are the ports that are certainly pull, whatever other mistakes there are."""
    for name, shape in shapes.items():
        outputs = [output for output in _outputs(name, shape) if output in pulled]
        if outputs and not _can_be_pulled(elements[name], shape, len(outputs)):
            element = router.element(name)
            message = f"'{name}' ({element.class_name}) can't be pulled from here"
            found.error(element.place, message, "put a Queue after it, so that packets are pushed through it")
    _check_cycles(router, shapes, pulled, found)


def _can_be_pulled(element: Element | type[Element], shape: Shape, pulled: int) -> bool:
    """Whether each output gets its packets from one input, or the class has its own code for pulls.

    `pulled` is the number of outputs that are pulled. With the flow code "#/#" each pulls from the input with its number.
    """
    return "pull" in element.entries or (shape.counts[0] == 1 and pulled == 1) or element.flow == "#/#"


def _check_cycles(router: Router, shapes: Mapping[str, Shape], pulled: Collection[End], found: Diagnostics) -> None:
    """Report pulls that would never end: from an output back to itself, through elements as flow codes allow."""

    def onward(output: End) -> Iterator[tuple[End, Connection]]:
        for end in shapes[output.port.element].through(output):
            sources = router.connections_to(end.port.element, end.port.port) if end in pulled else ()
            if len(sources) == 1 and pulled.issuperset(ends(sources[0])):
                yield ends(sources[0])[0], sources[0]

    outputs = [output for name, shape in shapes.items() for output in _outputs(name, shape) if output in pulled]
    for connection in back_edges(reversed(outputs), onward):
        source, target = connection.source.element, connection.target.element
        message = f"'{source}' and '{target}' lie on a cycle of pull connections"
        found.error(connection.place, message, "put an Unqueue and a Queue into the cycle")


def _outputs(name: str, shape: Shape) -> Iterator[End]:
    return (End(Port(name, port), True) for port in range(shape.counts[1]))
