"""Patterns and what replaces them (click-xform's manual)."""

import pytest

from clickbpf.errors import ClickError
from clickbpf.graph.elaborate import read_text
from clickbpf.passes.match import unify
from clickbpf.passes.patterns import read_patterns
from clickbpf.passes.xform import transform


@pytest.fixture
def xform(tmp_path):
    """xform(patterns, configuration): elements as {name: "Class(config)"}, and connections."""

    def run(patterns: str, text: str, reverse: bool = False):
        path = tmp_path / "test.clickpat"
        path.write_text(patterns)
        found = read_patterns(str(path))
        router = transform(read_text(text, None), [pattern.reversed() for pattern in found] if reverse else found)
        return {e.name: f"{e.class_name}({e.config})" for e in router.elements}, {str(c) for c in router.connections}

    return run


def pair(name: str, find: str, put: str) -> str:
    return f"elementclass {name} {{ {find} }}\nelementclass {name}_Replacement {{ {put} }}\n"


SHAPED = pair("Shaped", "input -> Queue -> output", "input -> Queue -> Shaper(200) -> output")
METERS = pair("Meters", "input -> Meter($a) -> Shaper($b) -> output", "input -> Meter($b) -> SlowShaper($a) -> output")
#: Three of Click's own: conf/ip.clickpat.
CHECKED = pair("Checked", "input -> CheckIPHeader($bad) -> GetIPAddress(16) -> output", "input -> CheckIPHeader($bad) -> output")
SHARED = pair(
    "Shared",
    "input -> Paint($p) -> s :: Strip(14) -> CheckIPHeader($bad) -> output; input[1] -> s",
    "input -> IPInputCombo($p, $bad) -> output; input[1] -> Strip(14) -> CheckIPHeader($bad) -> output",
)


def test_what_a_pattern_puts_in_it_does_not_look_at_again(xform):
    elements, connections = xform(SHAPED, "a :: A -> q :: Queue -> b :: B")
    assert elements == {"a": "A()", "b": "B()", "q": "Queue()", "Shaped@1/Shaper@2": "Shaper(200)"}
    assert connections == {"a[0] -> q[0]", "q[0] -> Shaped@1/Shaper@2[0]", "Shaped@1/Shaper@2[0] -> b[0]"}


def test_variables_stand_for_arguments(xform):
    elements, _ = xform(METERS, "a :: A -> Meter(1000) -> Shaper(2000) -> b :: B")
    assert sorted(elements.values()) == ["A()", "B()", "Meter(2000)", "SlowShaper(1000)"]


@pytest.mark.parametrize(
    "pattern, config, values",
    [
        ("$a", "1", {"a": "1"}),
        ("$a, 2, ${b}", "1 /* one */, 2, x y", {"a": "1", "b": "x y"}),
        ("$a, $a", "7, 7", {"a": "7"}),
        ("$a, $a", "7, 8", None),
        ("$a", "1, 2", None),
        ("$a", "", None),
        ("", "", {}),
        ("14", "15", None),
    ],
)
def test_arguments_are_compared_as_they_are_written(pattern, config, values):
    assert unify(pattern, config, {}) == values


@pytest.mark.parametrize(
    "text",
    [
        "a :: A -> CheckIPHeader(x) -> GetIPAddress(12) -> b :: B",  # another argument
        "a :: A -> CheckIPHeader -> GetIPAddress(16) -> b :: B",  # none where one is asked for
        "a :: A -> c :: CheckIPHeader(x) -> GetIPAddress(16) -> b :: B; c[1] -> d :: D",  # a way out that the pattern hasn't
        "a :: A -> CheckIPHeader(x) -> g :: GetIPAddress(16) -> b :: B; d :: D -> g",  # a way in
        "a :: A -> CheckIPHeader(x) -> n :: Null -> GetIPAddress(16) -> b :: B",  # another element between
        "a :: A -> CheckIPHeader(x) -> g :: GetIPAddress(16)",  # nothing at the pattern's output
    ],
)
def test_what_is_not_quite_the_pattern_is_left_alone(xform, text):
    before = read_text(text, None)
    elements, connections = xform(CHECKED, text)
    assert set(elements) == {e.name for e in before.elements}
    assert connections == {str(c) for c in before.connections}


def test_ports_of_a_pattern_have_to_be_used(xform):
    """Two interfaces share a path: the first pair of Paint and path is replaced, and what is left is another pattern's."""
    text = "a :: A -> Paint(1) -> ip :: Strip(14) -> CheckIPHeader(x) -> rt :: R; b :: B -> Paint(2) -> ip"
    elements, connections = xform(SHARED, text)
    assert sorted(text for text in elements.values() if "Combo" in text) == ["IPInputCombo(1, x)"]
    assert {"Strip(14)", "CheckIPHeader(x)", "Paint(2)"} <= set(elements.values())
    alone = pair("Alone", "input -> Paint($p) -> Strip(14) -> CheckIPHeader($bad) -> output", "input -> IPInputCombo($p, $bad) -> output")
    elements, connections = xform(alone + SHARED, text)
    assert sorted(elements.values()) == ["A()", "B()", "IPInputCombo(1, x)", "IPInputCombo(2, x)", "R()"]
    assert len([c for c in connections if c.endswith("-> rt[0]")]) == 2


def test_names_that_both_have_stay(xform):
    pattern = pair("P", "input -> x :: A($a) -> y :: B -> output", "input -> y :: C($a) -> z :: D -> output")
    elements, _ = xform(pattern, "I -> n :: A(1) -> m :: B -> O")
    assert elements["m"] == "C(1)" and elements["P@1/z"] == "D()" and "n" not in elements


def test_connections_go_where_the_ports_went(xform):
    swap = pair("Swap", "input -> [0] x :: X -> output; input[1] -> [1] x; x[1] -> [1] output",
                "input -> [1] y :: Y; input[1] -> [0] y; y[0] -> [1] output; y[1] -> output")  # fmt: skip
    _, connections = xform(swap, "a :: A; b :: B; c :: C; d :: D; e :: E; x :: X; a -> x; b -> x; c -> [1] x; x -> d; x[1] -> e")
    y = "Swap@1/y"
    assert connections == {f"a[0] -> {y}[1]", f"b[0] -> {y}[1]", f"c[0] -> {y}[0]", f"{y}[1] -> d[0]", f"{y}[0] -> e[0]"}


def test_a_replacement_may_be_nothing(xform):
    nothing = pair("Nothing", "input -> Null -> output", "input -> output")
    elements, connections = xform(nothing, "a :: A -> Null -> Null -> b :: B; c :: C -> n :: Null -> d :: D; n -> e :: E")
    assert set(elements) == set("abcde")
    assert connections == {"a[0] -> b[0]", "c[0] -> d[0]", "c[0] -> e[0]"}


def test_patterns_can_be_turned_round(xform):
    elements, _ = xform(METERS, "a :: A -> Meter(2) -> SlowShaper(1) -> b :: B", reverse=True)
    assert sorted(elements.values()) == ["A()", "B()", "Meter(1)", "Shaper(2)"]


def test_patterns_without_end_are_refused(xform, monkeypatch):
    monkeypatch.setattr("clickbpf.passes.xform.MOST_REPLACEMENTS", 50)
    queue = "input -> Queue -> output"
    evil = pair("One", queue, queue) + pair("Two", queue, queue)
    with pytest.raises(ClickError, match="replacements don't end"):
        xform(evil, "A -> Queue -> B")


def test_a_compound_without_a_replacement_is_no_pattern(xform):
    elements, _ = xform("elementclass P { input -> A -> output; }", "X -> a :: A -> Y")
    assert elements["a"] == "A()"
