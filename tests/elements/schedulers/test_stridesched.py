"""StrideSched: shares in proportion to tickets."""

import pytest
from tests.elements.strides import Stride


def test_shares_are_those_of_the_tickets(merged):
    x = merged("StrideSched(1, 2, 5)", 3)
    for port in range(3):
        x.fill(port, 1000)
    got = x.pull(1600)
    for port, share in enumerate((200, 400, 1000)):
        assert abs(got.count(port) - share) <= share / 100


@pytest.mark.parametrize("tickets", [(3, 1), (5, 0, 7, 7, 1), (32768, 1)])
def test_inputs_are_asked_as_stride_scheduling_says(merged, tickets):
    x, model, waiting = merged(f"StrideSched({', '.join(map(str, tickets))})", len(tickets)), Stride(*tickets), [0] * 5
    for port, more, pulls in ((0, 9, 4), (2 % len(tickets), 5, 3), (1, 20, 9), (0, 3, 20), (len(tickets) - 1, 6, 3)):
        x.fill(port, more)
        waiting[port] += more
        got = [model.pull(waiting) for _ in range(pulls)]
        expected = got[: got.index(None)] if None in got else got
        # The model's task stops at the first pull in vain, too.
        assert x.pull(len(expected)) == expected
        if None in got:
            break


def test_tickets_can_be_written(merged):
    x = merged("StrideSched(1, 0)", 2)
    for port in range(2):
        x.fill(port, 100)
    assert (x.read("tickets0"), x.read("tickets1"), x.read("config")) == ("1", "0", "1, 0")
    assert x.pull(5) == [0] * 5
    x.write("tickets1", 3)
    got = x.pull(80)
    assert abs(got.count(1) - 60) <= 1
    x.write("tickets0", 0)
    x.write("tickets1", 0)
    assert x.pull(5) == []
    with pytest.raises(Exception, match="must be >= 0"):
        x.write("tickets0", -1)
    with pytest.raises(Exception, match="integer"):
        x.write("tickets0", "some")


def test_an_input_that_gets_tickets_wakes_the_task(router):
    r = router("FromDevice(eth0) -> Queue -> s :: StrideSched(0) -> ToDevice(eth1);")
    r.send("eth0", bytes(60))
    r.expect_nothing()
    r.write("s.tickets0", 1)
    r.expect("eth1", bytes(60))


def test_mistakes(refused_router):
    unconnected = "StrideSched: input 1 is not connected: each of the 2 arguments has an input port"
    assert refused_router("Idle -> StrideSched(1, 2) -> Discard;") == unconnected
    assert refused_router("Idle -> s :: StrideSched(-1, x) -> Discard; Idle -> [1]s;").splitlines() == [
        "StrideSched: argument 0 (number of tickets) must be >= 0",
        "StrideSched: argument 1 should be number of tickets (integer)",
    ]
