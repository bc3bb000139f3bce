"""TCP's selective acknowledgements, as they are written and as they are read."""

import itertools

import pytest
from tests.elements.tcp.line import FarEnd, segments

SACK_OK = [("MSS", 1000), ("SAckOK", b"")]


@pytest.fixture(scope="module")
def shared():
    router = segments("100, EXTENSIONS slowstart fastrecovery sackrecovery sack")
    yield router
    router.close()


@pytest.fixture
def far(shared, port=itertools.count(5000)) -> FarEnd:
    return FarEnd(shared, port=next(port)).connect(options=SACK_OK)


def blocks(segment, base: int) -> list[tuple[int, int]]:
    """What a segment says that was received, from `base` on."""
    edges = [edge - base for edge in dict(segment.options).get("SAck", ())]
    return list(zip(edges[::2], edges[1::2], strict=True))


def reports(far: FarEnd, *ranges: tuple[int, int], ack: int = 0, window: int = 65535) -> list[int]:
    """Which segments come if the far end says that it has these, of thousands of bytes from far.ack on; in thousands, too."""
    edges = tuple(int(far.ack + 1000 * edge) % 2**32 for pair in ranges for edge in pair)
    options = {"options": [("NOP", None), ("NOP", None), ("SAck", edges)]} if ranges else {}
    return [(a.seq - far.ack) // 1000 for a in far.send(ack=far.ack + 1000 * ack, window=window, **options) if a.payload]


@pytest.fixture
def eight(far) -> FarEnd:
    """Eight segments of a thousand bytes are under way to it."""
    for i in range(8):
        far.send("A", bytes([i]) * 1000, seq=far.seq + 1000 * i)
    far.seq += 8000
    return far


def test_both_sides_have_to_agree(shared):
    """RFC 2018, 2: nothing is offered to who doesn't offer it, nor sent."""
    far = FarEnd(shared, port=4000)
    (answer,) = far.send("S")
    assert "SAckOK" not in dict(answer.options)
    far.seq, far.ack = far.seq + 1, answer.seq + 1
    far.send()
    (late,) = far.send("A", b"late", seq=far.seq + 10)
    assert late.options == []
    (answer,) = FarEnd(shared, port=4001).send("S", options=SACK_OK)
    assert "SAckOK" in dict(answer.options)


def test_what_came_beyond_gaps_is_said(far):
    """RFC 2018, 4: the one that grew last first, three ranges at most; RFC 2883, 4: what came twice before it, once."""
    said = []
    for start in (10, 30, 50, 70, 30):
        (answer,) = far.send("A", bytes(10), seq=far.seq + start)
        said.append(blocks(answer, far.seq))
        assert answer.ack == far.seq
    ten, thirty, fifty, seventy = ((start, start + 10) for start in (10, 30, 50, 70))
    assert said == [[ten], [thirty, ten], [fifty, thirty, ten], [seventy, fifty, thirty], [thirty, thirty, ten]]
    filled = far.send("A", bytes(10))[-1]
    assert (filled.ack - far.seq, blocks(filled, far.seq)[0]) == (20, thirty)
    (old,) = far.send("A", bytes(15))
    assert blocks(old, far.seq)[0] == (0, 15)
    (new,) = far.send("A", bytes(10), seq=far.seq + 90)
    assert blocks(new, far.seq)[0] == (90, 100)


def test_only_what_is_missing_is_sent_again(eight):
    """RFC 6675: the first and the fourth. One is lost if three ranges, or more than two segments, came after it (IsLost); the window is
    half of eight segments, and of those under way one has to arrive before another is sent (SetPipe)."""
    assert reports(eight, (1, 2)) == reports(eight, (1, 3)) == []
    assert reports(eight, (4, 5), (1, 3)) == [0]
    assert reports(eight, (4, 6), (1, 3)) == []
    assert reports(eight, (4, 7), (1, 3)) == [3]
    assert reports(eight, (4, 8), (1, 3)) == reports(eight, (4, 8), ack=3) == reports(eight, ack=8) == []
    assert eight.wait(100) == []


def test_what_is_lost_is_not_under_way(eight):
    """Of eight three have arrived and three are lost: with the first one sent again three are under way, and the window is four."""
    assert reports(eight, (3, 6)) == [0, 1]


def test_three_ranges_tell_of_a_loss(eight):
    assert reports(eight, (1.1, 1.2)) == reports(eight, (1.3, 1.4), (1.1, 1.2)) == []
    assert reports(eight, (1.5, 1.6), (1.3, 1.4), (1.1, 1.2)) == [0]


def test_the_last_that_is_missing_needs_no_timer(eight):
    """RFC 6675, NextSeg, rule 3: there are no new data to find out with whether it is lost."""
    assert reports(eight, (1, 6)) == [0]
    assert reports(eight, (7, 8), (1, 6)) == [6]


def test_the_last_that_is_missing_needs_no_room(far):
    """Nor are there, where the window is full of what is under way, new data that could be sent."""
    for i in range(9):
        far.send("A", bytes(1000), seq=far.seq + 1000 * i, window=8000)
    far.seq += 9000
    assert reports(far, (1, 6), window=8000) == [0]
    assert reports(far, (7, 8), (1, 6), window=8000) == [6]


def test_each_of_two_reports_lets_new_data_go(far):
    """RFC 3042, and RFC 6675, 5: what has arrived is no longer under way. After that it may turn out that nothing was lost."""
    for i in range(20):
        far.send("A", bytes(1000), seq=far.seq + 1000 * i)
    far.seq += 20000
    assert [reports(far, (1, 2)), reports(far, (1, 3))] == [[10], [11]]
    assert reports(far, ack=3) == [12, 13] and far.read("table")


def test_a_report_that_was_overtaken_counts(far):
    """RFC 6675, 5: what any acknowledgement says has arrived is no longer under way. Of seven segments half may be: four were."""
    for i in range(20):
        far.send("A", bytes(1000), seq=far.seq + 1000 * i)
    far.seq += 20000
    assert reports(far, (4, 7), ack=3)[0] == 3
    assert reports(far, (4, 7), ack=3) == []
    assert reports(far, (7, 9), ack=2) == [10]


def test_after_a_timeout_what_arrived_is_skipped(eight):
    assert [(a.seq - eight.ack) // 1000 for a in eight.wait(0.3)] == [0]
    assert reports(eight, (3, 8), ack=1) == [1, 2]
    assert reports(eight, (3, 8), ack=2) == reports(eight, ack=8) == []


def test_what_arrived_may_have_been_thrown_away(eight):
    """RFC 2018, 8: after a timeout it has arrived if the far end says so again."""
    assert reports(eight, (5, 7)) == []
    assert [(a.seq - eight.ack) // 1000 for a in eight.wait(0.3)] == [0]
    assert reports(eight, ack=1) == [1, 2]
    assert reports(eight, ack=3) == [3, 4, 5]


@pytest.mark.parametrize("wrong", [(-5, -1), (0, 5), (5, 20), (6, 2), (9, 12)])
def test_lies_are_not_believed(eight, wrong):
    assert reports(eight, wrong) == reports(eight, wrong) == []
    assert [(a.seq - eight.ack) // 1000 for a in eight.wait(0.3)] == [0]
