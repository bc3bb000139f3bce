"""Syntax mistakes: each reported once, at its place, by a name that helps."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from clickbpf.compile import check_text
from clickbpf.errors import ClickError
from clickbpf.lang import parse
from clickbpf.vocabulary.library import Library


def mistakes(text):
    """(line, column, message) of each mistake."""
    with pytest.raises(ClickError) as raised:
        parse(text)
    return [(d.place.line, d.place.column, d.message) for d in raised.value.diagnostics]


def test_all_mistakes_of_a_file_are_reported_in_one_run():
    text = """\
a :: ;
b : Foo;
c -> -> d;
e [0 -> f;
good :: Queue(1) -> g ] -> h;
i -> , j;
elementclass { input -> output }
require foo;
k :: X(1, "abc);
l -> m; }
x -> n :: N(1;
o -> p [q] -> r;
also -> good [0] -> [1] too;
% s
t -> ( u -> v
"""
    assert mistakes(text) == [
        (1, 5, "missing element class after '::'"),
        (2, 3, "':' found where '::' was expected"),
        (3, 6, "no element between '->' and '->'"),
        (4, 5, "missing ']' before '->'"),
        (5, 23, "']' without '['"),
        (6, 6, "unexpected ','"),
        (7, 13, "missing name after 'elementclass'"),
        (8, 8, "missing '(' after 'require'"),
        (9, 11, "unterminated string"),
        (10, 9, "'}' without '{'"),
        (11, 12, "unterminated parenthesis '('"),
        (12, 9, "port number expected, not 'q'"),
        (14, 1, "unknown character '%'"),
        (15, 6, "'(' is never closed"),
    ]


@pytest.mark.parametrize(
    "text, expected",
    [
        # connections
        ("-> a", [(1, 1, "no element before '->'")]),
        ("a =>", [(1, 3, "no element after '=>'")]),
        ("a -> [1] -> b", [(1, 10, "no element between '->' and '->'")]),
        ("[0] a -> b", [(1, 1, "input ports ignored at start of chain")]),
        ("a -> b [1]", [(1, 8, "output ports ignored at end of chain")]),
        ("{ a -> [0], b -> c }", [(1, 8, "implicit ports used in the middle of a chain")]),
        ("a - > b", [(1, 3, "'- >' found where '->' was expected")]),
        ("a --> b", [(1, 3, "'-->' found where '->' was expected")]),
        ("a > b", [(1, 3, "'>' found where '->' was expected")]),
        ("a - b", [(1, 3, "'-' found where '->' was expected")]),
        ("a = b", [(1, 3, "'=' found where '=>' was expected")]),
        ("a, , b -> c", [(1, 4, "unexpected ','")]),
        # ports
        ("a [2-1] -> b", [(1, 3, "port range 2-1 runs backwards")]),
        ("a [-1] -> b", [(1, 4, "missing port number")]),
        ("a [0 1] -> b", [(1, 5, "missing ',' before '1'")]),
        ("a [0-1-2] -> b", [(1, 7, "unexpected '-'")]),
        ("a [1.5] -> b", [(1, 5, "unknown character '.'")]),
        ("a [08] -> b", [(1, 4, "port number expected, not '08'")]),
        ("a [99999999999] -> b", [(1, 3, "port number 99999999999 too large")]),
        # declarations
        (":: X; a -> b", [(1, 1, "unexpected '::'")]),
        ("a := X", [(1, 3, "':=' found where '::' was expected")]),
        ("a :: B :: C; d -> e", [(1, 8, "unexpected '::'")]),
        ("define :: X", [(1, 1, "'define' is a keyword, it can't be a name")]),
        ("a :: X; ( :: Y )", [(1, 11, "unexpected '::'")]),
        # classes
        ("elementclass X; a -> b", [(1, 15, "missing definition of element class 'X'")]),
        ("elementclass X -> b", [(1, 15, "missing definition of element class 'X'")]),
        ("{ $a $b | -> } -> c", [(1, 5, "missing ',' before '$b'")]),
        ("{ $a input -> c }", [(1, 5, "missing '|' after the parameters")]),
        ("{ $a, KEY | -> c }", [(1, 7, "unexpected 'KEY'")]),
        ("a -> $b -> c", [(1, 6, "'$b' can't stand here")]),
        ("a | b", [(1, 3, "unexpected '|'")]),
        ("a || b", [(1, 3, "unexpected '||'")]),
        ("a -> ...", [(1, 6, "unexpected '...'")]),
        ("{ a .. }", [(1, 5, "unknown character '.'")]),
        ("{ ... }", [(1, 3, "unexpected '...'")]),
        ("{ a || ... || b }", [(1, 12, "unexpected '||'")]),
        # brackets
        ("{ a -> ( b } -> c", [(1, 8, "'(' is never closed")]),
        ("( a -> { b ) -> c", [(1, 8, "'{' is never closed")]),
        ("a -> { b -> ( c", [(1, 6, "'{' is never closed"), (1, 13, "'(' is never closed")]),
        ("a ) -> b", [(1, 3, "')' without '('")]),
        # lexical
        ("# frob\na", [(1, 1, "unknown preprocessor directive")]),
        ('#include "x.click"\na', [(1, 1, "unknown preprocessor directive")]),
        ("a; # b", [(1, 4, "unknown character '#'")]),
        ('"a" -> b', [(1, 1, "unknown character '\"'")]),
        ("a(1, /* x);\nb", [(1, 6, "unterminated comment")]),
        ("a(1, \\<44);\nb", [(1, 6, "unterminated data")]),
        ("a('x);\nb -> -> c", [(1, 3, "unterminated string"), (2, 6, "no element between '->' and '->'")]),
        # The quotes after a forgotten one open what they should close; the first is to blame.
        ('a("x);\nb("y");\nc', [(1, 3, "unterminated string")]),
        ("require x, y; a -> b", [(1, 8, "missing '(' after 'require'")]),
        ("provide", [(1, 8, "missing '(' after 'provide'")]),
    ],
)  # fmt: skip
def test_one_mistake(text, expected):
    assert mistakes(text) == expected


def test_an_unterminated_comment_is_warned_of():
    """Click takes the rest of the file for a comment, without a word."""
    (warning,) = check_text("Idle -> Discard /* x", Library.standard()).warnings
    assert (warning.place.column, warning.message) == (17, "the rest of the file is a comment")
    assert [said.message for said in warning.in_click] == [""]


@given(st.text(alphabet="ab:->=>[]{}()|$01,;.\"' \n/*#"))
def test_any_text_is_parsed_or_refused(text):
    try:
        parse(text)
    except ClickError as error:
        assert error.diagnostics
        assert error.render()


WORDS = [
    "a", "b ::", "X", "->", "=>", "[0]", "[", "]", "{", "}", "(", ")", "(1)", "||", "|", "$a", "K $b",
    "elementclass", "define", "...", ",", ";", "-", "\n",
]  # fmt: skip


@given(st.lists(st.sampled_from(WORDS), max_size=40).map(" ".join))
def test_any_tokens_are_parsed_or_refused(text):
    try:
        parse(text)
    except ClickError as error:
        assert all(d.place for d in error.diagnostics)


def test_hint_says_what_would_be_right():
    with pytest.raises(ClickError) as raised:
        parse("a :: X\nsrc [0 -> b;", "r.click")
    assert raised.value.render() == (
        "r.click:2:7: error: missing ']' before '->'\n"
        "    src [0 -> b;\n"
        "          ^\n"
        "hint: ports are written as [0], [0,1] or [0-2]\n"
    )


@pytest.mark.parametrize(
    "text, place",
    [
        ("FromDevice(eth0) -> f :: IPFilter(\n  allow (src 1.2.3.4 and dst 2.3.4.5,\n  deny all) -> Discard;", (1, 34)),
        ("FromDevice(eth0) -> IPFilter(allow (src 1.2.3.4\n and dst 2.3.4.5,\n  deny all) -> Discard;", (1, 29)),
        ("FromDevice(eth0)\n  -> IPFilter(allow (src 1.2.3.4\n     and dst 2.3.4.5,\n  deny all)\n  -> Discard;", (2, 14)),
        ("f :: IPClassifier(\n  (tcp and udp,\n  -\n);\nFromDevice(eth0) -> f -> Discard;", (1, 18)),
        ("c :: Classifier(12/0806 (20/0001,\n-);\nIdle -> c -> Discard;", (1, 16)),
    ],
)
def test_a_parenthesis_within_arguments_of_several_lines_is_one_mistake(text, place):
    assert mistakes(text) == [(*place, "unterminated parenthesis '('")]
