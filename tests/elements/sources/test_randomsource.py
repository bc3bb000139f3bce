"""RandomSource: packets of given length, whose bytes nobody knows before."""

import pytest


@pytest.mark.executors("native")
def test_packets_are_as_long_as_told_and_differ(router):
    r = router("x :: RandomSource(65, LIMIT 3, ACTIVE false) -> Queue -> ToDevice(out0);")
    r.write("x.active", "true")
    packets = [bytes(r.expect("out0")) for _ in range(3)]
    r.expect_nothing()
    assert r.read("x.count") == "3"
    assert [len(packet) for packet in packets] == [65] * 3
    assert len(set(packets)) == 3
    assert len({packet[-1:] + packet[:4] for packet in packets}) == 3


@pytest.mark.executors("native")
def test_length_and_limit_can_be_changed(router):
    r = router("x :: RandomSource(65, LIMIT 0) -> Queue -> ToDevice(out0);")
    r.write("x.length", "30")
    r.write("x.limit", "2")
    assert [len(bytes(r.expect("out0"))) for _ in range(2)] == [30, 30]
    r.expect_nothing()
    assert (r.read("x.length"), r.read("x.limit"), r.read("x.burst"), r.read("x.active")) == ("30", "2", "1", "true")
    assert "data" not in r.read("x.handlers").split()
    with pytest.raises(Exception, match="65535"):
        r.write("x.length", "70000")


MISTAKES = {"s :: Switch; Idle -> s -> Discard; RandomSource(1, STOP true, END_CALL s.switch 1) -> Discard;": "mutually exclusive"}
