"""TimeFilter and TimeRange: when packets were."""

import pytest
from tests.elements.running import settled

from clickbpf.errors import ClickError
from clickbpf.graph.check import check
from clickbpf.graph.elaborate import read_text
from clickbpf.vocabulary.library import Library

SOURCE = 'f :: FromIPSummaryDump(DATA "!data timestamp\n10\n10.5\n11\n20\n12\n30", STOP true)'


@pytest.mark.parametrize(
    "arguments, passed",
    [
        ("", 6),
        ("10.5, 20", 3),
        ("END 11", 2),
        ("START_AFTER 0.5s, INTERVAL 1s", 2),
        ("END_AFTER 2s", 3),
        ("START_DELAY 11s, END_DELAY 20s", 2),
    ],
)
def test_spans(arguments, passed):
    with settled(
        f"t :: TimeFilter({arguments}); {SOURCE} -> t -> c :: Counter -> Discard; t[1] -> d :: Counter -> Discard;", clock=0
    ) as router:
        assert (router.handlers.read("c", "count"), router.handlers.read("d", "count")) == (str(passed), str(6 - passed))


def test_stop_at_the_end():
    with settled(f"{SOURCE.replace(', STOP true', '')} -> TimeFilter(END 20, STOP true) -> c :: Counter -> Discard;") as router:
        assert (router.runs, router.handlers.read("c", "count")) == (0, "3")


@pytest.mark.parametrize("pulled", [False, True])
@pytest.mark.parametrize(
    "by, calls, passed",
    [(25, [20], "6"), (15, [20, 30], "6"), (5, [20, 20, 30, 30], "6"), (0, [20, 12, 30], "3")],
)
def test_a_handler_may_move_the_end(tmp_path, pulled, by, calls, passed):
    """A packet at the end passes if the handler moves it far enough, perhaps in several calls."""
    script = f"s :: Script(TYPE PASSIVE, print >>{tmp_path}/calls $1, write t.extend_interval {by});"
    way = "-> t -> Unqueue" if pulled else "-> t"
    with settled(f"t :: TimeFilter(END 12, END_CALL s.run $t); {script} {SOURCE} {way} -> c :: Counter -> Discard;") as router:
        assert router.handlers.read("c", "count") == passed
    assert [float(line) for line in (tmp_path / "calls").read_text().split()] == calls


def test_handlers():
    with settled(f"t :: TimeFilter(START_AFTER 1, INTERVAL 5); {SOURCE} -> t -> Discard;") as router:
        assert [router.handlers.read("t", name) for name in ("start", "end", "interval")] == ["11.000000", "16.000000", "5.000000"]
        router.handlers.write("t", "interval", "2.5")
        router.handlers.write("t", "extend_interval", "1min")
        assert router.handlers.read("t", "end") == "73.500000"
        router.handlers.write("t", "start", "3")
        router.handlers.write("t", "end", "7")
        assert router.handlers.read("t", "interval") == "4.000000"
        with pytest.raises(ClickError, match="soon"):
            router.handlers.write("t", "end", "soon")


@pytest.mark.parametrize("arguments", ["1, START_AFTER 1", "END 1, INTERVAL 2", "STOP true, END_CALL f.stop"])
def test_what_excludes_each_other(arguments):
    with pytest.raises(ClickError, match="mutually exclusive"):
        check(read_text(f"{SOURCE} -> TimeFilter({arguments}) -> Discard;"), Library.standard())


@pytest.mark.parametrize("arguments, last", [("", "30.000000"), ("SIMPLE true", "12.000000")])
def test_range(arguments, last):
    source = SOURCE.replace("30", "").replace('\n"', '"') if arguments else SOURCE
    with settled(f"{source} -> r :: TimeRange({arguments}) -> Discard;") as router:
        assert router.handlers.read("r", "range") == f"10.000000 {last}"
        assert router.handlers.read("r", "interval") == f"{float(last) - 10:.6f}"
        router.handlers.write("r", "reset", "")
        assert router.handlers.read("r", "first").strip() == "0.000000"
