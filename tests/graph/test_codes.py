"""Port count, processing and flow codes: the comments at Click's Element::port_count, processing and flow_code."""

import pytest

from clickbpf.args import ArgError
from clickbpf.graph.codes import AGNOSTIC, PULL, PUSH, FlowCode, PortCount, processing


@pytest.mark.parametrize(
    "code, used, resolved",
    [
        ("1/1", (1, 1), (1, 1)),
        ("1/1", (0, 3), (1, 1)),
        ("1/1-2", (1, 2), (1, 2)),
        ("1/1-2", (1, 0), (1, 1)),
        ("1/1-2", (1, 5), (1, 2)),
        ("1/2-", (1, 7), (1, 7)),
        ("1/2-", (1, 1), (1, 2)),
        ("-/-", (3, 4), (3, 4)),
        ("-", (3, 4), (3, 4)),
        ("1", (0, 0), (1, 1)),
        ("0-1/-3", (2, 9), (1, 3)),
        ("-/=", (3, 1), (3, 3)),
        ("2-/=", (0, 0), (2, 2)),
        ("-/=+", (3, 0), (3, 4)),
        ("-/=++", (1, 0), (1, 3)),
        ("0/0", (0, 0), (0, 0)),
    ],
)
def test_port_count(code, used, resolved):
    assert PortCount.parse(code).resolve(*used) == resolved


@pytest.mark.parametrize("code", ["", "/", "1/", "/1", "x", "1/1/1", "=", "=/1", "1/=-", "1--2", "1/+"])
def test_bad_port_count(code):
    with pytest.raises(ArgError, match="bad port count"):
        PortCount.parse(code)


@pytest.mark.parametrize(
    "code, inputs, outputs",
    [
        ("h/l", "h", "l"),
        ("a/ah", "aaa", "ahh"),
        ("hl/hlh", "hll", "hlhh"),
        ("a", "aa", "aa"),
        ("hl", "hll", "hll"),
        ("aa/aahh", "aa", "aahhh"),
        ("/h", "", "hh"),
        ("h/", "hh", ""),
        ("hlhlhl/a", "hl", "a"),
    ],
)
def test_processing(code, inputs, outputs):
    modes = {"h": PUSH, "l": PULL, "a": AGNOSTIC}
    expected = tuple(modes[c] for c in inputs), tuple(modes[c] for c in outputs)
    assert processing(code, len(inputs), len(outputs)) == expected


@pytest.mark.parametrize("code", ["x/h", "h/a/l", "", "/h", "h/~"])
def test_bad_processing(code):
    with pytest.raises(ArgError, match="bad processing code"):
        processing(code, 1, 1)


@pytest.mark.parametrize(
    "code, inputs, outputs, pairs",
    [
        ("x/x", 2, 2, {(0, 0), (0, 1), (1, 0), (1, 1)}),
        ("x/y", 2, 2, set()),
        ("xy/x", 3, 2, {(0, 0), (0, 1)}),
        ("xy/xxyx", 2, 4, {(0, 0), (0, 1), (0, 3), (1, 2)}),
        ("#/#", 3, 3, {(0, 0), (1, 1), (2, 2)}),
        ("##/##", 2, 2, {(0, 0), (1, 1)}),
        ("#/[^#]", 3, 3, {(0, 1), (0, 2), (1, 0), (1, 2), (2, 0), (2, 1)}),
        ("xy/[xy]x", 2, 2, {(0, 0), (0, 1), (1, 0)}),
        ("[x#][x#][x#]/x######", 3, 3, {(0, 0), (1, 0), (2, 0), (1, 1), (2, 2)}),
        ("[abz]/a", 1, 1, {(0, 0)}),
        ("[abz]/[cde]", 1, 1, set()),
        ("[^bc]/b", 1, 1, set()),
        ("[^bc]/d", 1, 1, {(0, 0)}),
        ("[^b]/[^c]", 1, 1, {(0, 0)}),
        ("x/X", 1, 1, set()),
        ("x", 1, 1, {(0, 0)}),
    ],
)
def test_flow(code, inputs, outputs, pairs):
    flow = FlowCode(code)
    assert {(i, o) for i in range(inputs) for o in flow.through(False, i, outputs)} == pairs
    assert {(i, o) for o in range(outputs) for i in flow.through(True, o, inputs)} == pairs


@pytest.mark.parametrize("code", ["", "/x", "x/", "x/x/x", "[x/x", "x]/x", "1/1", "x/ y"])
def test_bad_flow(code):
    with pytest.raises(ArgError, match="bad flow code"):
        FlowCode(code)
