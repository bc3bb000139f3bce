"""InputSwitch: one input passes, the others are dropped."""

import pytest

from clickbpf.testing.cases import Case

FRAME = bytes(range(64))


@pytest.mark.parametrize("arguments", ["1", "INPUT 1", "OUTPUT 1"])
def test_one_input_passes_and_a_handler_changes_it(element, arguments):
    x = element(f"InputSwitch({arguments})", ninputs=3)
    assert x.read("switch") == x.read("config") == "1"
    for port in range(3):
        x.send(FRAME, port)
    x.expect(0, FRAME)
    x.expect_nothing()
    assert x.dropped("DISCARDED") == 2
    x.write("switch", "2")
    x.passes(FRAME, input=2)


@pytest.mark.parametrize("text", ["-1", "3", "-7"])
def test_none_passes(element, text):
    x = element("InputSwitch", ninputs=3)
    x.write("switch", text)
    assert x.read("switch") == ("-1" if text == "3" else text)
    x.drops(FRAME)


def test_mistakes(refused, element):
    assert refused("InputSwitch(1)") == "InputSwitch: input must be < 1"
    assert "one argument" in refused("InputSwitch(0, OUTPUT 0)")
    with pytest.raises(Exception, match="InputSwitch input must be integer"):
        element("InputSwitch").write("switch", "first")


CASES = [Case("InputSwitch(1)", ninputs=2, packets=500, writes=[("x.switch", "0")])]
