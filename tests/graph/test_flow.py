"""Flow-based router context (Click paper): what is downstream and upstream of a port."""

from hypothesis import given, settings
from hypothesis import strategies as st
from tests.graph.classes import checked

from clickbpf.graph.flow import Flow
from clickbpf.graph.ports import End, Shape
from clickbpf.graph.router import Connection, Element, Port, Router
from clickbpf.vocabulary.roles import FlowCodes


def is_queue(element):
    return element.class_name() == "Queue"


def nearest(text, element, downstream=True, port=None, matches=is_queue):
    return [e.name for e in checked(text).flow.nearest(element, downstream, matches, port)]


def test_queues_behind():
    text = "s :: Source -> t :: Tee -> Null -> q :: Queue -> Discard; t [1] -> r :: Queue -> Unqueue -> z :: Queue -> Discard"
    assert nearest(text, "s") == ["r", "q"]
    assert nearest(text, "t", port=0) == ["q"]
    assert nearest(text, "z", downstream=False) == ["r"]
    assert nearest(text, "z") == []


def test_cycles_end():
    text = "Source -> c :: Check -> t :: Tee -> c; t [1] -> q :: Queue -> Discard; c [1] -> Discard"
    assert nearest(text, "c") == ["q"]
    assert nearest(text, "q", downstream=False) == []


def test_an_element_in_a_cycle_finds_itself():
    text = "a :: Null -> b :: Null -> a"
    assert nearest(text, "a", matches=lambda e: e.name == "a") == ["a"]


def test_flow_codes_bound_the_search():
    """An ARPQuerier's second input takes responses: what comes in there goes nowhere (flow code xy/x)."""
    text = "s :: Source -> a :: ARPQuerier -> q :: Queue -> Discard; r :: Source -> [1] a"
    assert nearest(text, "s") == ["q"]
    assert nearest(text, "r") == []
    assert nearest(text, "q", downstream=False, matches=lambda e: e.class_name() == "Source") == ["s"]


def test_reachable_in_order_of_distance():
    text = "s :: Source -> t :: Tee -> n :: Null -> d :: Discard; t [1] -> e :: Discard"
    assert [e.name for e in checked(text).flow.reachable("s", True)] == ["t", "n", "e", "d"]


def test_visitor_sees_ports_once_with_their_distance():
    seen = []
    text = "s :: Source -> t :: Tee -> n :: Null -> Discard; t [1] -> n; t [2] -> Discard"
    checked(text).flow.visit("s", True, lambda end, source, distance: seen.append((str(end), str(source), distance)) or True)
    assert seen == [
        ("input 0 of 't'", "output 0 of 's'", 1),
        ("input 0 of 'n'", "output 0 of 't'", 2),
        ("input 0 of 'Discard@5'", "output 2 of 't'", 2),
        ("input 0 of 'Discard@4'", "output 0 of 'n'", 3),
    ]


def test_a_port_reached_twice_at_once_is_visited_once():
    seen = []
    text = "Source -> t :: Tee -> n :: Null -> Discard; t [1] -> n"
    checked(text).flow.visit("t", True, lambda end, source, distance: bool(seen.append(str(end))))
    assert seen == ["input 0 of 'n'"]


class FlowInfo(FlowCodes):
    """Gives element n the flow code x/y."""

    ports = "0/0"

    def flow_overrides(self):
        return {"n": "x/y"}


def test_flow_codes_can_be_overridden():
    text = "s :: Source -> n :: Null -> q :: Queue -> Discard"
    assert nearest(text, "s") == ["q"]
    assert checked(text + "; FlowInfo", FlowInfo).flow.downstream("s", is_queue) == []


FLOWS = ["x/x", "x/y", "#/#", "xy/x", "#/[^#]", "xy/[xy]x"]


@settings(max_examples=200)
@given(st.data())
def test_reachable_is_the_transitive_closure(data):
    """Against the closure of one step: out of a port, along a connection, through an element."""
    names = [f"e{i}" for i in range(data.draw(st.integers(1, 6)))]
    ports = st.builds(Port, st.sampled_from(names), st.integers(0, 1))
    pairs = data.draw(st.lists(st.tuples(ports, ports), max_size=12, unique=True))
    router = Router(tuple(Element(name, "C") for name in names), tuple(Connection(*pair) for pair in pairs))
    classes = {name: type("C", (), {"ports": "2", "processing": "a", "flow": data.draw(st.sampled_from(FLOWS))}) for name in names}
    shapes = {name: Shape.of(router, name, class_) for name, class_ in classes.items()}
    flow = Flow({name: name for name in names}, shapes, router.connections)

    outputs = {Port(names[0], 0), Port(names[0], 1)}
    entered = set()
    while True:
        before = len(outputs), len(entered)
        entered |= {c.target for c in router.connections if c.source in outputs}
        outputs |= {other.port for port in entered for other in shapes[port.element].through(End(port, False))}
        if (len(outputs), len(entered)) == before:
            break
    assert set(flow.reachable(names[0], True)) == {port.element for port in entered}
