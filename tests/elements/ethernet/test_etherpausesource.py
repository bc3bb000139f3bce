"""EtherPauseSource: pause frames (IEEE 802.3, annex 31B) at regular times."""

import pytest

FRAME = bytes.fromhex("0180c2000001 001e13224891 8808 0001 0186") + bytes(46)


@pytest.fixture
def source(router):
    def make(arguments=""):
        return router(f"x :: EtherPauseSource(00:1e:13:22:48:91, 390{arguments}) -> Queue -> ToDevice(out0);", simtime=True)

    return make


def test_a_frame_every_second(source):
    r = source()
    r.advance(0.999)
    r.expect_nothing()
    r.advance(0.001)
    r.expect("out0", FRAME)
    r.advance(2)
    r.expect("out0", FRAME)
    r.expect("out0", FRAME)
    r.expect_nothing()


def test_arguments(source):
    r = source(", DST 2:2:2:2:2:2, INTERVAL 0.1, LIMIT 3")
    r.advance(1)
    for _ in range(3):
        r.expect("out0", bytes([2] * 6) + FRAME[6:])
    r.expect_nothing()
    r.write("x.reset_counts")
    r.advance(0)
    r.expect("out0")


def test_handlers(source):
    r = source(", ACTIVE false")
    r.advance(5)
    r.expect_nothing()
    r.write("x.src", "4:4:4:4:4:4")
    r.write("x.dst", "5:5:5:5:5:5")
    r.write("x.pausetime", "65535")
    r.write("x.active", "true")
    r.advance(0)
    r.expect("out0", bytes([5] * 6 + [4] * 6) + bytes.fromhex("88080001ffff") + bytes(46))
    assert [r.read(f"x.{name}") for name in ("src", "dst", "pausetime", "count", "limit", "active")] == [
        "04-04-04-04-04-04", "05-05-05-05-05-05", "65535", "1", "-1", "true"
    ]  # fmt: skip
    r.write("x.active", "false")
    r.advance(5)
    r.expect_nothing()


def test_where_it_is_pulled_from(router):
    r = router("x :: EtherPauseSource(00:1e:13:22:48:91, 390, LIMIT 2, ACTIVE false) -> ToDevice(out0);")
    r.write("x.active", "true")
    r.expect("out0", FRAME)
    r.expect("out0", FRAME)
    r.expect_nothing()
