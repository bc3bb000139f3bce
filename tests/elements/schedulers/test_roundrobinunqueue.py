"""RoundRobinUnqueue: turns, and an output for each input."""

import pytest

#: The script has five packets wait at input 0 and two at input 1; nothing comes to input 2.
WAITING = """
    f :: Script(TYPE PASSIVE, write i0.active true, write i1.active true);
    i0 :: InfiniteSource(DATA "{zeros}", LIMIT 5, BURST 5, ACTIVE false) -> Queue -> [0]r :: RoundRobinUnqueue({burst});
    i1 :: InfiniteSource(DATA "{ones}", LIMIT 2, BURST 2, ACTIVE false) -> Queue -> [1]r;
    FromDevice(in) -> Queue -> [2]r;
    r[0] -> out :: Queue -> ToDevice(out); r[1] -> out; r[2] -> Discard;
"""


@pytest.mark.parametrize("burst, order", [("", "0101000"), ("1", "0101000"), ("2", "0011000"), ("3", "0001100"), ("0", "0000011")])
def test_inputs_take_turns_of_a_burst(router, burst, order):
    r = router(WAITING.format(burst=burst, zeros="0" * 60, ones="1" * 60))
    assert "".join(chr(output.data[-1]) for output in r.write("f.run")) == order
    assert r.read("r.packets") == "7 packets\n"


def test_packets_leave_by_the_output_of_their_input(router):
    """It sleeps in between, and wakes for a packet at any input."""
    r = router(
        "FromDevice(a) -> Queue -> [0]r :: RoundRobinUnqueue; FromDevice(b) -> Queue -> [1]r;"
        "r[0] -> Queue -> ToDevice(c); r[1] -> Queue -> ToDevice(d);"
    )
    for source, target in ("ac", "bd", "bd", "ac"):
        r.forwards(source, bytes(60), target)
    r.expect_nothing()


MISTAKES = {"Idle -> Queue -> r :: RoundRobinUnqueue() -> Discard; r[1] -> Discard;": "number of outputs must equal number of inputs"}
