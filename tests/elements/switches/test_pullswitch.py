"""PullSwitch and StaticPullSwitch: one input of many."""

import pytest


@pytest.mark.parametrize("class_", ["PullSwitch", "StaticPullSwitch"])
@pytest.mark.parametrize("chosen, got", [(1, [1, 1]), (-1, []), (2, [])])
def test_pulls_go_to_the_chosen_input(merged, class_, chosen, got):
    x = merged(f"{class_}({chosen})", 2)
    x.fill(0, 2)
    x.fill(1, 2)
    assert x.pull(5) == got


def test_the_input_can_be_written(merged):
    x = merged("PullSwitch", 2)
    x.fill(0, 2)
    x.fill(1, 2)
    assert (x.read("switch"), x.pull(1)) == ("0", [0])
    x.write("switch", 1)
    assert (x.read("switch"), x.read("config"), x.pull(1)) == ("1", "1", [1])
    x.write("switch", 7)
    assert (x.read("switch"), x.pull(1)) == ("-1", [])
    with pytest.raises(Exception, match="syntax error"):
        x.write("switch", "x")


def test_a_switched_over_task_wakes(router):
    r = router("FromDevice(a) -> Queue -> [0]s :: PullSwitch; FromDevice(b) -> Queue -> [1]s; s -> ToDevice(c);")
    r.send("b", bytes(60))
    r.expect_nothing()
    r.write("s.switch", 1)
    r.expect("c", bytes(60))
