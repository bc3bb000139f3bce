"""ScheduleInfo: shares of the scheduler's time. Expected tickets are those of Click's documentation, 1024 for a parameter of 1."""

import pytest

from clickbpf.compile import check_text
from clickbpf.errors import ClickError
from clickbpf.graph.schedule import tickets
from clickbpf.vocabulary.library import Library

COMPOUND = "elementclass C { i :: InfiniteSource -> output; ScheduleInfo(i 0.5); } c :: C -> Discard; "


def of(element: str, text: str) -> int:
    return tickets(check_text(text, Library.standard()).instances[element].context.names, element)


@pytest.mark.parametrize(
    "outer, expected",
    [
        ("", 512),
        ("ScheduleInfo(c 4);", 2048),
        ("ScheduleInfo(c/ 4);", 2048),
        ("ScheduleInfo(c 4, c/i 10.5);", 10752),
        ("ScheduleInfo(c/i 40);", 32768),
        ("ScheduleInfo(c/i 0);", 0),
    ],
)
def test_tickets_within_a_compound(outer, expected):
    assert of("c/i", COMPOUND + outer) == expected


def test_compounds_within_compounds_multiply():
    text = "a :: { b :: { x :: Idle -> Discard; ScheduleInfo(x 2); }; ScheduleInfo(b 3); %s }; %s"
    assert of("a/b/x", text % ("", "")) == 6 * 1024
    assert of("a/b/x", text % ("", "ScheduleInfo(a 0.5);")) == 3 * 1024
    assert of("a/b/x", text % ("", "ScheduleInfo(a 7, a/b 5);")) == 10 * 1024
    assert of("a/b/x", text % ("ScheduleInfo(b/x 4);", "")) == 4 * 1024


@pytest.mark.executors("native")
def test_tasks_run_in_proportion(router):
    """For a hundred turns of the driver, two sources that never end share it: four of five runs are the first one's."""
    r = router(
        "one :: InfiniteSource(ACTIVE false) -> Discard; two :: InfiniteSource(ACTIVE false) -> Discard;"
        "none :: InfiniteSource(ACTIVE false) -> Discard; ScheduleInfo(one 4, none 0);"
    )
    runtime = r.executor.runtime
    for source in ("one", "two", "none"):
        runtime.handlers.write(source, "active", "true")
    with pytest.raises(ClickError, match="become quiet"):
        runtime.settle(rounds=100)
    one, two, none = (int(r.read(f"{source}.count")) for source in ("one", "two", "none"))
    assert two > 100 and abs(one - 4 * two) <= 5
    assert none <= 1


def test_mistakes(refused_router):
    assert refused_router("ScheduleInfo(i, i x, i -1, zork 3, i 1 2);").splitlines() == ["ScheduleInfo: expected 'ELEMENTNAME PARAM'"] * 4
