"""How mistakes are collected and shown."""

import pytest

from clickbpf.errors import ClickError, Diagnostic, Diagnostics, Place, Sources, render


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
