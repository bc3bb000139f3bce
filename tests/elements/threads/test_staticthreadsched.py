"""StaticThreadSched: threads by name, compounds among the names, the last word counts."""

import sys

from clickbpf.compile import check_text
from clickbpf.vocabulary.library import Library

LINES = "rs1 :: RatedSource -> Queue -> d1 :: Discard; rs2 :: RatedSource -> Queue -> d2 :: Discard;"
SUB = "{ src :: RatedSource -> q :: Queue -> d :: Discard; StaticThreadSched(d 0); }"


def homes(router, *names: str) -> list[str]:
    return [router.handlers.read(name, "home_thread") for name in names]


def test_elements_get_their_threads_and_others_the_first(threaded):
    router = threaded(f"StaticThreadSched(rs2 1, d2 1); {LINES}")
    assert homes(router, "rs1", "d1", "rs2", "d2") == ["0", "0", "1", "1"]


def test_compounds(threaded):
    """As in Click's own test: what is said inside comes later."""
    router = threaded(f"StaticThreadSched(sub0 1); sub0, sub1 :: {SUB}")
    assert homes(router, "sub0/src", "sub0/d", "sub1/src", "sub1/d") == ["1", "0", "0", "0"]


def test_the_last_word_counts(threaded):
    router = threaded(f"StaticThreadSched(rs1 1, rs2 1, rs1 2); StaticThreadSched(rs2 0); {LINES}", threads=3)
    assert homes(router, "rs1", "rs2") == ["2", "0"]


def test_numbers_out_of_range_are_told(threaded, capsys):
    router = threaded(f"StaticThreadSched(rs1 2, rs2 -5, d1 -1); {LINES}")
    assert homes(router, "rs1", "rs2", "d1") == ["0", "-1", "-1"]
    told = capsys.readouterr().err
    assert "thread preference 2 out of range" in told
    assert "thread preference -5 out of range" in told
    assert "-1 out of range" not in told


def test_a_compound_is_reported_once(threaded, capsys):
    router = threaded(f"StaticThreadSched(sub0 7); sub0 :: {SUB.replace('StaticThreadSched(d 0);', '')}")
    assert homes(router, "sub0/src", "sub0/d") == ["0", "0"]
    assert capsys.readouterr().err.count("thread preference 7 out of range") == 1


def test_mistakes(refused_router):
    assert refused_router("StaticThreadSched(d x, d, d 1 2, d 7/0, d 0/x); Idle -> d :: Discard;").splitlines() == [
        "StaticThreadSched: THREAD: 'x' is not an integer from -2147483648 to 2147483647",
        "StaticThreadSched: expected 'ELEMENT THREAD'",
        "StaticThreadSched: expected 'ELEMENT THREAD'",
        "StaticThreadSched: THREAD: socket 7 has no processor 0",
        "StaticThreadSched: THREAD: 'x' is not an integer from 0 to 4294967295",
    ]


def test_elements_that_are_not_there_are_reported(threaded):
    """As Click does, which goes on."""
    text = f"StaticThreadSched(nobody 1, rs2 1, {{}}); {LINES}"
    said = [warning.message for warning in check_text(text.format("q 1"), Library.standard()).warnings]
    assert said == ["StaticThreadSched: 'nobody' does not name an element", "StaticThreadSched: 'q' does not name an element"]
    assert homes(threaded(text.format("d1 1")), "rs2", "d1") == ["1", "1"]


def test_a_socket_and_one_of_its_processors(threaded, tmp_path, monkeypatch):
    """Those of node 1 are 2 and 11."""
    for cpu in ("node0/cpu0", "node1/cpu11", "node1/cpu2", "node1/cpumap"):
        (tmp_path / cpu).mkdir(parents=True)
    monkeypatch.setattr(sys.modules[Library.standard().find("StaticThreadSched").__module__], "SOCKETS", tmp_path)
    router = threaded(f"StaticThreadSched(rs1 1/0, rs2 0/0, d1 1/1); {LINES}", threads=12)
    assert homes(router, "rs1", "rs2", "d1") == ["2", "0", "11"]


def test_under_clicks_names_warnings_have_clicks_form(threaded, capsys, monkeypatch):
    monkeypatch.setenv("CLICKBPF_MESSAGES", "click")
    threaded(f"StaticThreadSched(rs1 2);\n{LINES}").handlers.write("d1", "tickets", "0")
    assert capsys.readouterr().err.splitlines() == [
        "config:1: While configuring 'StaticThreadSched@1 :: StaticThreadSched':",
        "  warning: thread preference 2 out of range",
        "While calling 'd1.tickets 0':",
        "  warning: tickets pinned at 1",
    ]
