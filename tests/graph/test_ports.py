"""Ports that don't exist and ports that aren't connected."""

from tests.graph.classes import checked, mistakes


def found(text):
    return [(d.place.column, d.message, d.hint) for d in mistakes(text)]


def test_fitting_connections():
    c = checked("Source -> c :: Check -> Discard; c [1] -> Discard").instances["c"]
    assert (c.ninputs, c.noutputs) == (1, 2)


def test_optional_output_left_out():
    assert checked("Source -> c :: Check -> Discard").instances["c"].noutputs == 1


def test_no_such_input():
    assert found("Source -> [2] n :: Null -> Discard") == [(8, "'n' has no input 2", "Null has 1 input and 1 output here")]


def test_no_such_output():
    text = "Source -> n :: Null [0, 3] => Discard, d :: Discard"
    assert [message for _, message, _ in found(text)] == ["'n' has no output 3"]


def test_every_connection_to_a_missing_port_is_reported():
    text = "s :: Source -> n :: Null -> Discard; Idle -> [1] n; Idle -> [1] n"
    assert [message for _, message, _ in found(text)] == ["'n' has no input 1"] * 2


def test_one_more_output_than_inputs():
    text = "o :: OneMore; Idle -> o -> Discard; o [1] -> Discard; o [2] -> Discard"
    assert [message for _, message, _ in found(text)] == ["'o' has no output 2"]


def test_unused_ports():
    assert found("n :: Null; s :: Source") == [
        (1, "'n' is not connected", "connect it, or leave it out"),
        (12, "output 0 of 's' is not connected", "connect it to Discard if no packets are meant to pass"),
    ]


def test_gap_between_used_ports():
    text = "t :: Tee; Source -> t; t [0] -> Discard; t [2] -> Discard"
    assert [message for _, message, _ in found(text)] == ["output 1 of 't' is not connected"]


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


def test_equal_counts_give_unused_ports():
    text = "s :: Suppressor; Idle -> s; Idle -> [1] s; s -> Discard"
    assert [message for _, message, _ in found(text)] == ["output 1 of 's' is not connected"]


def test_a_wrong_number_is_reported_once():
    """What goes to the missing input 1 was meant for input 0; that input 0 is unused goes without saying."""
    assert [message for _, message, _ in found("Source -> [1] n :: Null -> Discard")] == ["'n' has no input 1"]
