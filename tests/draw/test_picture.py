"""What is drawn of a router: boxes, ports and lines, compounds folded or not."""

import pytest

from clickbpf.compile import Compilation, check_text
from clickbpf.draw.picture import WIDEST, PortDrawn, compounds, picture
from clickbpf.plan import Options
from clickbpf.vocabulary.library import Library

LIBRARY = Library.standard()
PUSH, PULL = PortDrawn("push"), PortDrawn("pull")
ANY_PUSH, ANY_PULL = PortDrawn("push", True), PortDrawn("pull", True)
NESTED = """
    elementclass Inner { input -> n :: Null -> output }
    elementclass Outer { input -> i :: Inner -> t :: Tee(2) -> output; t[1] -> d :: Discard }
    f :: FromDevice(eth0) -> o :: Outer -> q :: Queue -> to :: ToDevice(eth0);
"""


def plan(text, **options):
    return Compilation(check_text(text, LIBRARY), Options(**options)).plan


def boxes(drawn):
    return {box.name: box for box in drawn.boxes}


def lines(drawn):
    """(from, output, to, input), with names."""
    name = [box.name for box in drawn.boxes]
    return {(name[line.source], line.output, name[line.target], line.input) for line in drawn.lines}


def test_ports_are_push_pull_or_agnostic():
    drawn = picture(plan("f :: FromDevice(eth0) -> c :: Counter -> q :: Queue -> d :: Counter -> t :: ToDevice(eth0)"))
    found = boxes(drawn)
    assert (found["f"].inputs, found["f"].outputs) == ((), (PUSH,))
    assert (found["c"].inputs, found["c"].outputs) == ((ANY_PUSH,), (ANY_PUSH,))
    assert (found["q"].inputs, found["q"].outputs) == ((PUSH,), (PULL,))
    assert (found["d"].inputs, found["d"].outputs) == ((ANY_PULL,), (ANY_PULL,))
    assert {drawn.boxes[line.source].name for line in drawn.lines if line.pull} == {"q", "d"}


def test_colours_say_where_elements_run():
    text = "FromDevice(eth0) -> c :: Counter -> q :: Queue -> ToDevice(eth0); a :: AddressInfo(x 10.0.0.1); s :: InfiniteSource -> Discard"
    found = boxes(picture(plan(text)))
    assert [found[name].where for name in ("c", "q", "a", "s")] == [("xdp",), ("elided",), ("control",), ("user",)]
    assert boxes(picture(plan(text, hook="tc")))["c"].where == ("tc",)


def test_a_box_has_the_name_that_was_given_the_class_and_the_arguments():
    found = boxes(picture(plan(f"Idle -> c :: Counter -> Strip(  14 /* comment */ ) -> Print({'x' * 100}) -> Discard")))
    assert found["c"].lines == ("c", "Counter")
    assert [box.lines for name, box in found.items() if name.startswith("Strip")] == [("Strip", "14")]
    assert [box.lines for name, box in found.items() if name.startswith("Print")] == [("Print", "x" * (WIDEST - 1) + "…")]


def test_a_compound_is_one_box():
    drawn = picture(plan(NESTED))
    assert set(boxes(drawn)) == {"f", "o", "q", "to"}
    outer = boxes(drawn)["o"]
    assert (outer.compound, outer.inputs, outer.outputs) == (True, (ANY_PUSH,), (PUSH,))
    assert lines(drawn) == {("f", 0, "o", 0), ("o", 0, "q", 0), ("q", 0, "to", 0)}


def test_the_inside_of_a_compound_has_what_is_beside_it():
    assert compounds(plan(NESTED)) == ["o", "o/i"]
    drawn = picture(plan(NESTED), "o")
    assert {box.name for box in drawn.boxes if box.outside} == {"f", "q"}
    assert lines(drawn) == {("f", 0, "o/i", 0), ("o/i", 0, "o/t", 0), ("o/t", 0, "q", 0), ("o/t", 1, "o/d", 0)}
    assert lines(picture(plan(NESTED), "o/i")) == {("f", 0, "o/i/n", 0), ("o/i/n", 0, "o/t", 0)}


def test_an_element_may_have_the_name_that_a_compound_would_have():
    """As in routers that are written flat."""
    flat = plan("Idle -> a :: Counter -> a/b :: Counter -> Discard;")
    assert [name for name in boxes(picture(flat)) if "@" not in name] == ["a", "a/b"]
    assert not compounds(flat)


def test_unfolded_compounds_are_groups_of_elements():
    drawn = picture(plan(NESTED), unfolded=True)
    assert set(boxes(drawn)) == set(plan(NESTED).checked.instances)
    groups = {name: {drawn.boxes[number].name for number in inside} for name, inside in drawn.groups}
    assert groups == {"o": {"o/i/n", "o/t", "o/d"}, "o/i": {"o/i/n"}}
    assert len(drawn.lines) == 5


@pytest.mark.parametrize("unfolded", [False, True])
def test_every_line_ends_at_a_port_that_is_there(unfolded):
    drawn = picture(plan(NESTED), unfolded=unfolded)
    for line in drawn.lines:
        assert line.output < len(drawn.boxes[line.source].outputs)
        assert line.input < len(drawn.boxes[line.target].inputs)
