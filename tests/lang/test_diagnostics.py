"""How mistakes are collected and shown."""

import re
import sys

import pytest

from clickbpf.errors import ClickError, Diagnostic, Diagnostics, Place, Sources, render, word_end
from clickbpf.messages import show


def test_place_prints_as_compilers_do():
    assert str(Place("a.click", 3, 7)) == "a.click:3:7"


def test_render_shows_line_caret_and_hint():
    sources = Sources()
    sources.add("a.click", "first\n\tsrc -> ctr;\n")
    text = render([Diagnostic(Place("a.click", 2, 9), "undeclared element 'ctr'", "is it 'cnt'?")], sources)
    assert text == (
        "a.click:2:9: error: undeclared element 'ctr'\n"
        "    \tsrc -> ctr;\n"
        "    \t       ^\n"
        "hint: is it 'cnt'?\n"
    )


def test_colours_are_around_the_parts_and_change_nothing_else():
    sources = Sources()
    sources.add("a", "x -> ^ctr;")
    found = [Diagnostic(Place("a", 1, 7), "odd", "write 'b'"), Diagnostic(None, "older", severity="warning")]
    plain, coloured = render(found, sources), render(found, sources, coloured=True)
    assert re.sub("\x1b\\[[0-9;]*m", "", coloured) == plain
    assert "\x1b[1ma:1:7:\x1b[0m \x1b[1;31merror:\x1b[0m odd\n    x -> ^ctr;\n          \x1b[1;32m^\x1b[0m\n" in coloured


@pytest.mark.parametrize("shown, variables", [(True, {}), (False, {"NO_COLOR": "1"}), (False, {"TERM": "dumb"})])
def test_terminals_have_colours_unless_they_are_unwanted(shown, variables, monkeypatch, capsys):
    for name in ("NO_COLOR", "TERM", "CLICKBPF_MESSAGES"):
        monkeypatch.delenv(name, raising=False)
    for name, value in variables.items():
        monkeypatch.setenv(name, value)
    monkeypatch.setattr(sys.stderr, "isatty", lambda: True)
    show([Diagnostic(None, "odd")])
    assert ("\x1b[" in capsys.readouterr().err) == shown


@pytest.mark.parametrize(
    "line, column, word",
    [
        ("a -> DecIPTL(3)", 6, "DecIPTL"), ("a -> b", 3, "->"), ("c[0] -> d", 1, "c"), ("X(10.0.0.0/33, y)", 3, "10.0.0.0/33"),
        ("X(2001:db8::1)", 3, "2001:db8"), ("a :: B", 3, "::"), ("X($v)", 3, "$v"), ("x/y/z -> q", 1, "x/y/z"), ("ab", 4, "?"),
    ],
)  # fmt: skip
def test_a_place_is_that_of_a_word(line, column, word):
    assert word_end(line, column) == column + len(word)


def test_render_without_source_or_place():
    shown = render([Diagnostic(None, "cannot read 'x'"), Diagnostic(Place("b", 1, 1), "odd", severity="warning")])
    assert shown == "error: cannot read 'x'\nb:1:1: warning: odd\n"


def test_caret_behind_the_end_of_a_line():
    sources = Sources()
    sources.add("a", "ab")
    assert render([Diagnostic(Place("a", 1, 4), "more")], sources).splitlines()[2] == "       ^"


def test_diagnostics_are_sorted_and_unique():
    found = Diagnostics()
    found.error(Place("a", 10, 1), "third")
    found.error(Place("a", 2, 5), "second")
    found.error(Place("a", 2, 1), "first")
    found.error(Place("a", 2, 5), "second")
    assert [d.message for d in found] == ["first", "second", "third"]
    assert len(found) == 3


def test_only_errors_raise_and_warnings_come_along():
    found = Diagnostics()
    found.warning(Place("a", 1, 1), "hm")
    found.raise_if_errors()
    found.error(Place("a", 2, 1), "no", "do this")
    with pytest.raises(ClickError) as raised:
        found.raise_if_errors()
    assert [d.severity for d in raised.value.diagnostics] == ["warning", "error"]
    assert found.warnings == (Diagnostic(Place("a", 1, 1), "hm", None, "warning"),)


def test_click_error_from_one_message():
    error = ClickError("no device", Place("a", 1, 2), "bring it up")
    assert error.diagnostics == (Diagnostic(Place("a", 1, 2), "no device", "bring it up"),)
    assert str(error) == "a:1:2: error: no device"


def test_sources_keep_the_first_text_of_a_line_and_count_only_real_line_ends():
    sources = Sources()
    sources.add("a", "one\x0cstill one\r\ntwo\rthree")
    sources.add("a", "other", first_line=2)
    assert [sources.line(Place("a", n, 1)) for n in (1, 2, 3, 4)] == [
        "one\x0cstill one", "two", "three", None,
    ]  # fmt: skip


@pytest.mark.parametrize("at", [0, 1, 150, 199, 200, 201, 5000, 9900, 9999])
def test_of_a_long_line_the_part_around_the_place_is_shown(at):
    source = "a" * at + "X" + "b" * (9999 - at)
    _, shown, caret = render([Diagnostic(Place("f", 1, at + 1), "no")], lambda place: source).splitlines()
    assert len(shown) < 320 and shown.index("X") == caret.index("^")
    assert shown.startswith("    ...") == (at > 199) and shown.endswith("...") == (at < 9899)
