"""Push and pull: the rules of the Click paper (figure 4: push and pull control flow)."""

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from tests.graph.classes import checked, mistakes

from clickbpf.errors import Diagnostics
from clickbpf.graph.codes import AGNOSTIC, PULL, PUSH, FlowCode
from clickbpf.graph.ports import End, Shape, check_ports
from clickbpf.graph.processing import resolve
from clickbpf.graph.router import Connection, Element, Port, Router


def modes(text):
    """name -> inputs and outputs as letters: h push, l pull."""
    processing = checked(text).processing
    return {
        name: "/".join("".join("hl"[mode == PULL] for mode in side) for side in (p.inputs, p.outputs)) for name, p in processing.items()
    }


def found(text):
    return [(d.place.column, d.message, d.hint) for d in mistakes(text)]


# Resolution.


def test_agnostic_elements_take_the_mode_of_their_path():
    assert modes("s :: Source -> a :: Null -> q :: Queue -> b :: Null -> u :: Unqueue -> c :: Null -> d :: Discard") == {
        "s": "/h",
        "a": "h/h",
        "q": "h/l",
        "b": "l/l",
        "u": "l/h",
        "c": "h/h",
        "d": "h/",
    }


@pytest.mark.parametrize(
    ("text", "element", "expected"),
    [
        ("i :: Idle -> a :: Null -> b :: Null -> p :: PullSink", "a", "l/l"),  # upstream
        ("a :: Null -> b :: Null -> a", "a", "h/h"),  # undecided
        # Idle's flow code is x/y: its output may be pulled from while its input is pushed to.
        ("Source -> i :: Idle -> PullSink", "i", "h/l"),
        ("s :: Suppressor; Source -> s -> Discard; Idle -> [1] s [1] -> PullSink", "s", "hl/hl"),
        ("i :: Idle -> c :: Check -> PullSink; c [1] -> Discard", "c", "l/lh"),
        ("Idle -> q :: Queue -> p :: PullSink; q -> PullSink; Source -> q; Source -> q", "q", "h/l"),
    ],
)
def test_modes(text, element, expected):
    assert modes(text)[element] == expected


def test_labels_show_what_was_agnostic():
    """As Click's handler `ports` does: push~ for a port that is push but needn't be."""
    c = checked("Source -> c :: Check -> Discard; c [1] -> Discard").processing["c"]
    assert [c.label(End(Port("c", 0), False)), c.label(End(Port("c", 0), True)), c.label(End(Port("c", 1), True))] == [
        "push~",
        "push~",
        "push",
    ]


# Figure 4: what is wrong.


CONFLICT = "push output 0 of 's' is connected to pull input 0 of 'p'"
UNLIKE = "'{}' has a {} input 0 and a {} output 0, but needs the same on both sides"
TEE, SCHEDULER = "use a Tee to copy packets", "use a scheduler such as RoundRobinSched to merge pull paths"


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("s :: Source -> p :: PullSink", (13, CONFLICT, "insert a Queue")),
        (
            "Idle -> q :: Queue -> t :: Tee -> Discard",
            (20, "pull output 0 of 'q' is connected to push input 0 of 't'", "insert an Unqueue"),
        ),
        (
            "s :: Source -> Discard; s -> Discard",
            (27, "push output 0 of 's' is connected 2 times", f"{TEE} (first connected at config:1:13)"),
        ),
        (
            "p :: PullSink; Idle -> p; Idle -> p",
            (32, "pull input 0 of 'p' is connected 2 times", f"{SCHEDULER} (first connected at config:1:21)"),
        ),
        (
            "s :: Source -> n :: Null -> p :: PullSink",
            (26, UNLIKE.format("n", "push", "pull"), "insert a Queue: output 0 of 's' is push, input 0 of 'p' is pull"),
        ),
        (
            "Idle -> q :: Queue -> Null -> n :: Null -> Null -> t :: Tee -> Discard",
            (41, UNLIKE.format("n", "pull", "push"), "insert an Unqueue: output 0 of 'q' is pull, input 0 of 't' is push"),
        ),
    ],
)
def test_what_is_wrong(text, expected):
    assert found(text) == [expected]


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("i :: Idle -> n :: Null -> Discard; n -> Discard", ["push output 0 of 'n' is connected 2 times"]),
        # A conflict isn't reported again as reuse,
        ("Idle -> Queue -> n :: Null -> PullSink; p :: Source -> n", ["push output 0 of 'p' is connected to pull input 0 of 'n'"]),
        # but the Queue that it asks for would still leave a fixed input with two connections.
        ("p :: PullSink; Idle -> Queue -> p; s :: Source -> p", ["pull input 0 of 'p' is connected 2 times", CONFLICT]),
        # The four of the figure.
        (
            "s :: Source -> p :: PullSink; s -> c :: Null -> p",
            [
                UNLIKE.format("c", "push", "pull"), "pull input 0 of 'p' is connected 2 times",
                "push output 0 of 's' is connected 2 times", CONFLICT,
            ],
        ),
    ],
)  # fmt: skip
def test_what_is_wrong_besides(text, expected):
    assert sorted(message for _, message, _ in found(text)) == sorted(expected)


def test_all_mistakes_at_once():
    text = "Source -> PullSink;\nSource -> PullSink;\ns :: Source -> Discard; s -> Discard"
    assert [d.place.line for d in mistakes(text)] == [1, 2, 3]


# Against a resolver that only knows the definition: ports of one mode form sets.

CODES = ["h/l", "l/h", "a/a", "h/h", "l/l", "a/ah", "ha/la"]
FLOWS = ["x/x", "x/y", "#/#", "xy/x", "#/[^#]"]


@st.composite
def routers(draw):
    """Routers of up to 8 elements with up to 2 ports on each side, and their elements' shapes."""
    count = draw(st.integers(1, 8))
    names = [f"e{i}" for i in range(count)]
    ports = st.builds(Port, st.sampled_from(names), st.integers(0, 1))
    pairs = draw(st.lists(st.tuples(ports, ports), max_size=14, unique=True))
    router = Router(tuple(Element(name, "C") for name in names), tuple(Connection(*pair) for pair in pairs))
    classes = {
        name: type("C", (), {"ports": "2", "processing": draw(st.sampled_from(CODES)), "flow": draw(st.sampled_from(FLOWS))})
        for name in names
    }
    return router, {name: Shape.of(router, name, class_) for name, class_ in classes.items()}


def sets_of_ports(router, shapes):
    """Port -> the set of ports that have its mode, by merging sets until nothing changes."""
    given = {End(Port(n, p), o): s.modes(o)[p] for n, s in shapes.items() for o in (False, True) for p in range(2)}
    same = {end: {end} for end in given}
    joined = [(End(c.source, True), End(c.target, False)) for c in router.connections]
    for name, shape in shapes.items():
        for i in range(2):
            for o in FlowCode(shape.flow.text).through(False, i, 2):
                a, b = End(Port(name, i), False), End(Port(name, o), True)
                if given[a] == given[b] == AGNOSTIC:
                    joined.append((a, b))
    for a, b in joined:
        merged = same[a] | same[b]
        for end in merged:
            same[end] = merged
    return given, same


@settings(max_examples=300)
@given(routers())
def test_random_routers(drawn):
    router, shapes = drawn
    report = Diagnostics()
    result, _ = resolve(router, shapes, list(router.connections), report)
    given, same = sets_of_ports(router, shapes)
    wanted = {end: {given[e] for e in ends} - {AGNOSTIC} for end, ends in same.items()}
    messages = [d.message for d in report]

    mixed = any(len(modes) == 2 for modes in wanted.values())
    assert any("connected to" in m or "the same on both sides" in m for m in messages) == mixed
    used = [End(c.source, True) for c in router.connections] + [End(c.target, False) for c in router.connections]
    for end, asked in wanted.items():
        if len(asked) == 2:
            continue
        mode = next(iter(asked), PUSH)
        shown = (result[end.port.element].outputs if end.is_output else result[end.port.element].inputs)[end.port.port]
        assert shown == mode
        reused = used.count(end) > 1 and mode == (PUSH if end.is_output else PULL)
        assert (f"{mode} {end} is connected {used.count(end)} times" in messages) == reused


def test_connections_of_unknown_elements_are_left_alone():
    router = Router((Element("a", "C"), Element("b", "Unknown")), (Connection(Port("a"), Port("b", 5)),))
    shapes = {"a": Shape((), (PUSH,), FlowCode("x/x"))}
    report = Diagnostics()
    connections = check_ports(router, shapes, report)
    assert connections == [] and resolve(router, shapes, connections, report)[0]["a"].outputs == (PUSH,) and len(report) == 0
