"""RoundRobinSched: turns."""

import pytest


def test_inputs_take_turns(merged):
    x = merged("RoundRobinSched", 3)
    for port, packets in enumerate((4, 2, 3)):
        x.fill(port, packets)
    assert x.pull(5) == [0, 1, 2, 0, 1]
    assert x.pull(9) == [2, 0, 2, 0]


def test_the_turn_is_kept_while_there_are_no_packets(merged):
    x = merged("RoundRobinSched", 3)
    x.fill(1, 1)
    assert x.pull(2) == [1]
    for port in range(3):
        x.fill(port, 1)
    assert x.pull(3) == [2, 0, 1]


@pytest.mark.parametrize("class_", ["RoundRobinSched", "PrioSched", "DRRSched", "StrideSched(1, 1)", "PullSwitch(1)"])
def test_a_sleeping_task_wakes_for_a_packet_at_any_input(router, class_):
    r = router(f"FromDevice(a) -> Queue -> [0]s :: {class_}; FromDevice(b) -> Queue -> [1]s; s -> ToDevice(c);")
    for device in "b" if "Switch" in class_ else "abba":
        r.forwards(device, bytes(1400), "c")
    r.expect_nothing()


def test_without_inputs_there_is_nothing(router):
    assert router("s :: RoundRobinSched -> u :: Unqueue -> Discard;").read("u.count") == "0"
