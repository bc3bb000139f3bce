"""Ports that don't exist and ports that aren't connected."""

import pytest
from tests.graph.classes import checked, mistakes


def found(text):
    return [(d.place.column, d.message, d.hint) for d in mistakes(text)]


def test_fitting_connections():
    c = checked("Source -> c :: Check -> Discard; c [1] -> Discard").instances["c"]
    assert (c.ninputs, c.noutputs) == (1, 2)


def test_optional_output_left_out():
    assert checked("Source -> c :: Check -> Discard").instances["c"].noutputs == 1


def test_unused_ports():
    assert found("Source -> [2] n :: Null -> Discard") == [(8, "'n' has no input 2", "Null has 1 input and 1 output here")]
    assert found("n :: Null; s :: Source") == [
        (1, "'n' is not connected", "connect it, or leave it out"),
        (12, "output 0 of 's' is not connected", "connect it to Discard if no packets are meant to pass"),
    ]


def test_several_unused_ports_are_one_report():
    text = "i :: Idle; i [0] -> Discard; i [2] -> Discard; i [6] -> Discard"
    hint = "connect them to Discard if no packets are meant to pass"
    assert found(text) == [
        (1, "output 1 of 'i' is not connected", "connect it to Discard if no packets are meant to pass"),
        (1, "outputs 3 to 5 of 'i' are not connected", hint),
    ]


def test_absurd_port_numbers():
    text = "i :: Idle; i [5000] -> Discard"
    assert [(message, hint) for _, message, hint in found(text)] == [("'i' has no output 5000", "Idle has no inputs and 1024 outputs here")]


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("Source -> n :: Null [0, 3] => Discard, d :: Discard", ["'n' has no output 3"]),
        ("s :: Source -> n :: Null -> Discard; Idle -> [1] n; Idle -> [1] n", ["'n' has no input 1"] * 2),
        ("o :: OneMore; Idle -> o -> Discard; o [1] -> Discard; o [2] -> Discard", ["'o' has no output 2"]),
        ("t :: Tee; Source -> t; t [0] -> Discard; t [2] -> Discard", ["output 1 of 't' is not connected"]),
        ("s :: Suppressor; Idle -> s; Idle -> [1] s; s -> Discard", ["output 1 of 's' is not connected"]),
        # What goes to the missing input 1 was meant for input 0; that input 0 is unused goes without saying.
        ("Source -> [1] n :: Null -> Discard", ["'n' has no input 1"]),
    ],
)
def test_ports_that_are_missing_or_unused(text, said):
    assert [message for _, message, _ in found(text)] == said
