"""TCP's extensions: each is a short file, changes what it is for, and works beside the others (test_live_tcp.py has all subsets)."""

import pytest
from elements.tcp._extensions import FOLDER, HOOKS, standard
from tests.elements.conftest import mistakes
from tests.elements.tcp.line import FarEnd, segments


@pytest.fixture
def make():
    made = []

    def start(extensions: str, more: str = "") -> FarEnd:
        made.append(segments(f"10{', EXTENSIONS ' * bool(extensions)}{extensions}{more}"))
        return FarEnd(made[-1])

    yield start
    for router in made:
        router.close()


def lengths(answers) -> list[int]:
    return [len(a.payload) for a in answers if a.payload]


def test_each_is_less_than_sixty_lines_and_says_what_it_is():
    names = "cubic delayack fastrecovery headerprediction sack sackrecovery slowstart timestamps windowscale"
    assert names.split() == standard()
    for path in FOLDER.iterdir():
        text = path.read_text()
        assert text.count("\n") < 60 and text.startswith("/* ") and "RFC" in text + "RFC" * ("Jacobson" in text)
        assert "BELOW(" in text


def test_acknowledgements_are_delayed(make):
    """RFC 9293, 3.8.6.3: for less than half a second, and not of every second segment."""
    far = make("delayack", ", NODELAY true").connect(options=[("MSS", 1460)])
    far.send("A", b"x", ack=far.ack, window=0)
    assert far.collect() == []
    (late,) = far.wait(0.05)
    assert (late.ack, lengths([late])) == (far.seq + 1, [])
    far.seq += 1
    # With timestamps, for example, segments have less data than the maximum segment size.
    assert far.send("A", bytes(1448), window=0) == []
    (at_once,) = far.send("A", bytes(1448), seq=far.seq + 1448, window=0)
    assert at_once.ack == far.seq + 2896
    # RFC 5681, 4.2: of what fills a part of a gap at once.
    far.seq += 2896
    far.send("A", b"late", seq=far.seq + 50, window=0)
    assert [a.ack for a in far.send("A", b"part", window=0)] == [far.seq + 4]


def test_a_slow_start(make):
    """RFC 6928: ten segments; RFC 5681: as many more as are acknowledged, and one segment at most for each acknowledgement."""
    far = make("slowstart").connect(options=[("MSS", 1000)])
    for i in range(40):
        far.send("A", bytes(1000), seq=far.seq + 1000 * i)
    far.seq += 40000
    # Ten are under way: each of a hundred parts of the first acknowledgement brings no more than its own bytes do.
    sent = [a for i in range(1, 101) for a in far.send("A", ack=far.ack + 10 * i)]
    assert lengths(sent) == [1000] * 2
    assert lengths(far.send("A", ack=far.ack + 2000)) == [1000] * 2


def test_a_window_that_is_not_used_does_not_grow(make):
    """RFC 7661, 4.3: one segment at a time says nothing of what the road takes."""
    far = make("slowstart").connect(options=[("MSS", 1000)])
    for _ in range(30):
        assert lengths(far.send("A", bytes(1000))) == [1000]
        far.seq, far.ack = far.seq + 1000, far.ack + 1000
        far.send()
    assert lengths([a for i in range(20) for a in far.send("A", bytes(1000), seq=far.seq + 1000 * i)]) == [1000] * 10


def test_congestion_avoidance(make):
    """RFC 5681, 3.1: a segment for each window that is acknowledged, in however many parts. Half of the first ten segments are the window
    after a loss."""
    far = make("slowstart fastrecovery").connect(options=[("MSS", 100)])
    for i in range(3):
        far.send("A", bytes(1000), seq=far.seq + 1000 * i)
    far.seq += 3000
    far.ack += 1200 * bool([far.send("A") for _ in range(3)])
    assert lengths(far.send("A")) == [100] * 5
    assert lengths([a for i in range(1, 101) for a in far.send("A", ack=far.ack + i)]) == [100]
    assert lengths(far.send("A", ack=far.ack + 500)) == [100] * (4 + 1)


def test_after_a_timeout_it_begins_again(make):
    far = make("slowstart", ", RTO_MIN 1").connect(options=[("MSS", 1000)])
    for i in range(20):
        far.send("A", bytes(1000), seq=far.seq + 1000 * i)
    far.seq += 20000
    assert lengths(far.wait(1.1)) == [1000]
    assert lengths(far.send("A", ack=far.ack + 1000)) == [1000] * 2


def test_a_pause_ends_what_is_known_of_the_road(make):
    """RFC 5681, 4.1: after more than the timeout the window is the initial one. A closed window is no pause, and no loss."""
    far = make("slowstart", ", NODELAY true").connect(options=[("MSS", 1000)])
    for closed in (True, False):
        for i in range(40):
            far.send("A", bytes(1000), seq=far.seq + 1000 * i, window=60000)
        far.seq += 40000
        for i in range(1, 41):
            far.send("A", ack=far.ack + 1000 * i, window=60000 * (not closed or i < 40))
        far.ack += 40000
        for i in range(20 * closed):
            far.send("A", bytes(1000), seq=far.seq + 1000 * i, window=0)
        far.seq += 20000 * closed
        probes = far.wait(30)
        if closed:
            assert set(lengths(probes)) == {1}
            again = far.send("A", window=60000)
            assert lengths(again) == [1000] * 20
            far.ack += 20000
            far.send("A")
    for i in range(20):
        far.send("A", bytes(1000), seq=far.seq + 1000 * i, window=0)
    far.seq += 20000
    assert lengths(far.send("A", window=60000)) == [1000] * 10


def test_a_window_too_small_for_a_segment_is_no_loss(make):
    """RFC 9293, 3.8.6.2.1: what has waited for so long fills it. Then it opens, for ten segments."""
    far = make("slowstart").connect(options=[("MSS", 1000)])
    sent = [a for i in range(20) for a in far.send("A", bytes(1000), seq=far.seq + 1000 * i, window=10)]
    far.seq += 20000
    assert (lengths(sent), lengths(far.wait(0.3))) == ([], [10])
    assert lengths(far.send("A", ack=far.ack + 10)) == [1000] * 10


def test_after_a_syn_that_was_lost_one_is_careful(make):
    """RFC 6928, 2: the window is one segment; RFC 6298, 5.7: the timeout is three seconds. It is a slow start, since no data were lost."""
    far = make("slowstart")

    def connect() -> None:
        far.port, far.seq, far.ack = far.port + 1, 1000, 0
        far.send("S", options=[("MSS", 1000)])
        (answer,) = far.wait(1.1)
        far.seq, far.ack = far.seq + 1, answer.seq + 1
        far.send()

    connect()
    for i in range(20):
        far.send("A", bytes(1000), seq=far.seq + 1000 * i)
    far.seq += 20000
    assert lengths([a for i in range(1, 6) for a in far.send("A", ack=far.ack + 1000 * i)]) == [1000] * 10
    connect()
    sent = [a for i in range(3) for a in far.send("A", bytes(1000), seq=far.seq + 1000 * i)]
    assert lengths(sent) == [1000]
    assert lengths(far.wait(2.9)) == []
    assert lengths(far.wait(0.2)) == [1000]


@pytest.mark.parametrize("extensions", ["fastrecovery", "slowstart fastrecovery", "fastrecovery slowstart"])
def test_the_third_duplicate_brings_what_is_missing(make, extensions):
    """RFC 5681, 3.2; of a second segment that is missing a partial acknowledgement (RFC 6582, 3.2)."""
    far = make(extensions).connect(options=[("MSS", 1000)])
    for i in range(8):
        far.send("A", bytes([i]) * 1000, seq=far.seq + 1000 * i)
    far.seq += 8000
    assert far.send("A") == far.send("A") == []
    (again,) = far.send("A")
    assert (again.seq, bytes(again.payload)) == (far.ack, bytes(1000))
    assert far.send("A") == []
    (partial,) = far.send("A", ack=far.ack + 3000)
    assert (partial.seq, bytes(partial.payload)) == (far.ack + 3000, b"\3" * 1000)
    assert lengths(far.send("A", ack=far.ack + 8000)) == []


def test_made_up_duplicates_let_nothing_more_go(make):
    """RFC 5681, 3.2: each stands for a segment that has left, so there are no more of them than there were segments: ten, and those that
    the first two let go (RFC 3042). The window is half of the ten."""
    far = make("slowstart fastrecovery").connect(options=[("MSS", 1000)])
    for i in range(50):
        far.send("A", bytes(1000), seq=far.seq + 1000 * i)
    far.seq += 50000
    assert lengths([a for _ in range(100) for a in far.send("A")]) == [1000] * (2 + 1 + 5)


def test_predicted_headers_change_nothing_else(make):
    """The same as without it, also for what isn't as predicted."""
    seen = []
    for extensions in ("", "headerprediction"):
        far = make(extensions).connect(options=[("MSS", 1000)])
        answers = [far.send("PA", b"one"), far.send("A", seq=far.seq + 3, ack=far.ack + 3), far.send("A", b"four", seq=far.seq + 7)]
        answers += [far.send("A", b"evil", ack=far.ack + 1000, seq=far.seq + 3), far.send("PA", b"two.", seq=far.seq + 3, ack=far.ack + 3)]
        answers += [far.send("R", seq=far.seq + 5), far.send("FA", seq=far.seq + 11, ack=far.ack + 11), far.send("A", seq=far.seq + 12)]
        seen.append([[(a.flags, a.seq - far.ack, a.ack - far.seq, bytes(a.payload)) for a in group] for group in answers])
    assert seen[0] == seen[1] and b"two.four" in b"".join(a[3] for group in seen[0] for a in group)


def test_wide_windows(make):
    """RFC 7323, 2.2: offered in an answer only to who offers it; that of a SYN isn't scaled."""
    far = make("windowscale", ", BUFFER 1048576")
    (plain,) = far.send("S")
    assert (plain.options, plain.window) == ([("MSS", 1460)], 65535)
    far.port += 1
    (answer,) = far.send("S", options=[("WScale", 3)])
    assert (dict(answer.options)["WScale"], answer.window) == (5, 65535)
    far.seq, far.ack = far.seq + 1, answer.seq + 1
    far.send("A")
    (data,) = far.send("A", b"x")
    assert (1 << 20) - 64 <= data.window << 5 <= 1 << 20


def test_old_duplicates_are_told_by_their_timestamps(make):
    """RFC 7323, 5.3 and 3.2: an older one is acknowledged and dropped, as is one without a timestamp."""
    far = make("timestamps")
    far.send("S", options=[("Timestamp", (100, 0))])
    (answer,) = far.wait(1.1)
    far.seq, far.ack = far.seq + 1, answer.seq + 1
    assert dict(answer.options)["Timestamp"][1] == 100
    far.send("A", options=[("Timestamp", (101, 0))])
    far.send("A", b"new", options=[("Timestamp", (200, 0))])
    (old,) = far.send("A", b"old", seq=far.seq + 3, options=[("Timestamp", (150, 0))])
    (none,) = far.send("A", b"old", seq=far.seq + 3)
    assert (old.ack, none.ack, far.read("received")) == (far.seq + 3, far.seq + 3, "3")
    assert dict(old.options)["Timestamp"][1] == 200
    # What acknowledges what was never sent is forged, and says nothing of the time.
    far.send("A", seq=far.seq + 3, ack=far.ack + 9999, options=[("Timestamp", (2**30, 0))])
    # 4.3: what comes beyond a gap doesn't make what fills the gap, and was sent before it, an old one.
    far.send("A", b"two", seq=far.seq + 6, options=[("Timestamp", (300, 0))])
    far.send("A", b"one", seq=far.seq + 3, options=[("Timestamp", (250, 0))])
    assert far.read("received") == "9"


def test_a_peer_that_was_silent_for_weeks_is_believed(make):
    """RFC 7323, 5.5: its clock, in milliseconds, has gone half around. A keep-alive probe says what is recent, too."""
    far, ms = make("timestamps", ", TIMEOUT 0"), 86400 * 1000

    def at(day: int) -> dict:
        return {"options": [("Timestamp", ((100 + day * ms) % 2**32, 0))]}

    (answer,) = far.send("S", **at(0))
    far.seq, far.ack = far.seq + 1, answer.seq + 1
    far.send("A", **at(0))
    far.wait(23 * 86400)
    far.send("A", b"old", options=[("Timestamp", (99, 0))])
    assert far.read("received") == "0"
    far.wait(2 * 86400)
    (echo,) = far.send("A", b"new", **at(25))
    assert (bytes(echo.payload), far.read("received")) == (b"new", "3")
    far.seq, far.ack = far.seq + 3, far.ack + 3
    far.send("A", **at(25))
    far.wait(20 * 86400)
    assert len(far.send("A", seq=far.seq - 1, **at(45))) == 1
    far.wait(20 * 86400)
    far.send("A", b"again", **at(65))
    assert far.read("received") == "8"
    *_, end = far.send("FA", seq=far.seq + 5, ack=far.ack + 5, **at(65))
    first, last = (dict(a.options)["Timestamp"][0] for a in (echo, end))
    assert "F" in end.flags and (last - first) % 2**32 == 40 * ms % 2**32


def test_predicted_segments_have_timestamps(make):
    """RFC 7323, 3.2 and 5.3: an old one, and one without a timestamp, isn't believed, predicted or not."""
    far = make("timestamps headerprediction", ", NODELAY true")
    (answer,) = far.send("S", options=[("Timestamp", (100, 0))])
    far.seq, far.ack = far.seq + 1, answer.seq + 1
    stamp = [("NOP", None), ("NOP", None), ("Timestamp", (200, 0))]
    far.send("A", options=stamp)
    (echo,) = far.send("A", b"new", options=stamp)
    assert dict(echo.options)["Timestamp"][1] == 200
    far.seq, far.ack = far.seq + 3, far.ack + 3
    far.send("A", options=stamp)
    stamp[2] = ("Timestamp", (150, 0))
    answers = far.send("A", b"old", options=stamp) + far.send("A", b"bad")
    assert ([a.ack for a in answers], far.read("received")) == ([far.seq] * 2, "3")


def test_timestamps_measure_what_was_sent_again(make):
    """RFC 7323, 4.1: the answer says which it answers, so that the timeout is what the round trip is, and not twice what it was."""
    far = make("timestamps")
    (answer,) = far.send("S", options=[("Timestamp", (100, 0))])
    far.seq, far.ack = far.seq + 1, answer.seq + 1
    far.send("A", options=[("Timestamp", (101, dict(answer.options)["Timestamp"][0]))])
    far.send("A", b"x", options=[("Timestamp", (102, 0))])
    *_, again = far.wait(3.05)
    far.seq, far.ack = far.seq + 1, far.ack + 1
    far.send("A", options=[("Timestamp", (103, dict(again.options)["Timestamp"][0]))])
    far.send("A", b"y", options=[("Timestamp", (104, 0))])
    assert lengths(far.wait(0.3)) == [1]


def test_what_is_acknowledged_late_says_when_the_first_was_sent(make):
    """RFC 7323, 4.3, (2): TS.Recent follows segments that begin before what was acknowledged."""
    far = make("delayack timestamps", ", NODELAY true")
    (answer,) = far.send("S", options=[("Timestamp", (100, 0))])
    far.seq, far.ack = far.seq + 1, answer.seq + 1
    far.send("A", options=[("Timestamp", (101, 0))], window=0)
    assert far.send("A", b"one", options=[("Timestamp", (110, 0))], window=0) == []
    (late,) = far.send("A", b"two", seq=far.seq + 3, options=[("Timestamp", (120, 0))], window=0)
    assert (late.ack, dict(late.options)["Timestamp"][1]) == (far.seq + 6, 110)


def test_a_file_of_ones_own(make, tmp_path):
    body = "{\n\tBELOW(receive_data)(t, length);\n\tt->probe = true;\n}\n"
    (tmp_path / "none.h").write_text(f"HOOK(void, receive_data, __u32 length)\n{body}")
    far = make(f"slowstart {tmp_path}/none.h").connect()
    assert lengths(far.send("A", b"closed", window=0)) == [1]


def test_hooks_are_described():
    assert all(text and not text.endswith(".") for _, _, text in HOOKS.values())


def test_a_name_that_is_wrong_is_shown():
    text = "tcp :: TCPConnections(10, EXTENSIONS slowstart slowstrat);"
    (found,) = mistakes(text)
    assert (found.place.column - 1, found.hint) == (text.index("slowstrat"), "did you mean 'slowstart'?")


MISTAKES = {
    "tcp :: TCPConnections(10, EXTENSIONS slowstrat);": "no extension 'slowstrat'",
    "tcp :: TCPConnections(10, EXTENSIONS slowstart slowstart);": "slowstart is named twice",
    "tcp :: TCPConnections(10, EXTENSIONS /nowhere/x.h);": "no extension '/nowhere/x.h'",
    "tcp :: TCPConnections(10, BUFFER 5000);": "5000 is no power of two",
    "tcp :: TCPConnections(10, KEEPALIVE 7200);": "TIMEOUT ends connections before that",
    "tcp :: TCPConnections; Idle -> a :: TCPOutput(tcp) -> Discard; Idle -> b :: TCPOutput(tcp) -> Discard;": "tcp has a TCPOutput: a",
}
