"""Configuration strings: the rules of click(5), CONFIGURATION STRINGS, and of Click's confparse."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from clickbpf.lang.config import (
    assign_arguments,
    is_balanced,
    quote,
    shift_word,
    split_args,
    split_keyword,
    split_words,
    unquote,
    unquote_bytes,
)


@pytest.mark.parametrize(
    "config, args",
    [
        ("", []),
        ("  ", []),
        ("a, b, c", ["a", "b", "c"]),
        ("  a /*?*/ b,  c, ", ["a b", "c"]),
        ('"x, y" // ?', ['"x, y"']),
        ("1, /* comment */", ["1"]),
        (", 1", ["", "1"]),
        ("1,,2", ["1", "", "2"]),
        ("a   b", ["a   b"]),
        ("a /* c */     b", ["a b"]),
        ("\\<01, 02>, x", ["\\<01, 02>", "x"]),
        ("'//', '/*'", ["'//'", "'/*'"]),
        ('"\\",", b', ['"\\","', "b"]),
        ('"\\<22 /*"*/ 2c>", b', ['"\\<22 /*"*/ 2c>"', "b"]),
        ("a// x, y\r\nb", ["a b"]),
        ("f(1, 2)", ["f(1", "2)"]),
    ],
)
def test_split_args(config, args):
    assert [text for text, _ in split_args(config)] == args


@given(st.text("a1, \t\n(/)-").filter(lambda text: "//" not in text))
def test_plain_strings_are_split_as_all_others_are(text):
    """An argument more, with a quote, makes a string one that isn't plain."""
    *found, _ = split_args(text + ",'x'")
    assert split_args(text) == (found if found[-1][0] else found[:-1])


def test_split_args_gives_offsets():
    config = "  a, /* x */ b c ,  'd'"
    assert split_args(config) == [("a", 2), ("b c", 13), ("'d'", 20)]


@pytest.mark.parametrize(
    "argument, words",
    [
        ("", []),
        ("a  b, c", ["a", "b,", "c"]),
        ("  'a /*?*/ b'c", ["'a /*?*/ b'c"]),
        ("a/*x*/b", ["a", "b"]),
        ("KEY \"a b\"c \\<20 20> 'd", ["KEY", '"a b"c', "\\<20 20>", "'d"]),
        ("1/2 a/b", ["1/2", "a/b"]),
    ],
)
def test_split_words(argument, words):
    assert split_words(argument) == words


def test_shift_word():
    assert shift_word(" $a  b c") == ("$a", "b c")
    assert shift_word("$a") == ("$a", "")
    assert shift_word("") == ("", "")


@pytest.mark.parametrize(
    "argument, keyword",
    [
        ("KEY value 2", ("KEY", "value 2")),
        ("KEY", ("KEY", "")),
        ("a.b:c?! 1", ("a.b:c?!", "1")),
        ("'KEY' 1", None),
        ("a-b 1", None),
        ("", None),
    ],
)
def test_split_keyword(argument, keyword):
    assert split_keyword(argument) == keyword


@pytest.mark.parametrize(
    "text, value",
    [
        ("abc", b"abc"),
        ('a"b"c', b"abc"),
        ('"\\n" abc /* 123 */ \'/* def */\'', b"\n abc /* def */"),
        (r'"\a\b\t\n\v\f\r\\"', b"\x07\x08\t\n\x0b\x0c\r\\"),
        (r'"\101\0\1234"', b"A\0S4"),
        (r'"\x41\x1234g"', b"A4g"),
        (r'"\q\,\$\""', b'q,$"'),
        ('"a\\\nb\\\r\nc"', b"abc"),
        ("\\< 48 45 4c 4C 4f >", b"HELLO"),
        ('"\\<48656c6C 6f 2 /* And finally */ 1>"', b"Hello!"),
        ("'\\<48>'", b"\\<48>"),
        ("a\\nb", b"a\\nb"),
        ("\\<484>", b"H"),
        (r'"\377"', b"\xff"),
        ("", b""),
        ('""', b""),
        ("é", "é".encode()),
    ],
)
def test_unquote(text, value):
    assert unquote_bytes(text) == value


def test_unquote_text_keeps_bytes_that_are_no_characters():
    assert unquote(r'"\377a"').encode("utf-8", "surrogateescape") == b"\xffa"


@pytest.mark.parametrize(
    "value, text",
    [
        ("", '""'),
        ('a"b\\c$', '"a\\"b\\\\c\\$"'),
        ("\t\r\n", r'"\t\r\n"'),
        (b"\x00\x7f\xff", r'"\000\177\377"'),
        ("'", "\"'\""),
    ],
)
def test_quote(value, text):
    assert quote(value) == text


@given(st.binary())
def test_quoting_loses_nothing(value):
    assert unquote_bytes(quote(value)) == value
    assert is_balanced(quote(value))
    assert len(split_args(quote(value))) == 1
    assert len(split_words(quote(value))) == 1


@given(st.text(alphabet="ab,$\"'\\<>/*\n ()"))
def test_splitting_never_fails_and_offsets_are_right(text):
    for arg, offset in split_args(text):
        assert arg == "" or text[offset] == arg[0]
    unquote_bytes(text)


@pytest.mark.parametrize(
    "text, balanced",
    [("", True), ("a(b)", True), ("(", False), (")(", False), ("')'", True), ('"', False), ("/*", False),
     ("\\<4", False), ("// (", False), ("// (\n", True)],
)  # fmt: skip
def test_is_balanced(text, balanced):
    assert is_balanced(text) is balanced


@pytest.mark.parametrize(
    "args, keywords, slots",
    [
        (["1", "2"], [None, None], [[(0, 0)], [(1, 0)]]),
        (["1"], [None, None], None),
        (["1", "2", "3"], [None, None], None),
        (["COUNT 3"], ["COUNT"], [[(0, 6)]]),
        (["1"], ["COUNT"], None),
        ([], ["COUNT"], None),
        (["COUNT 1", "COUNT 2"], ["COUNT"], [[(1, 6)]]),
        # The example of click(5): { $a, COUNT $count, __REST__ $rest | ... } (1, 2, COUNT 3, FOO 4)
        (["1", "2", "COUNT 3", "FOO 4"], [None, "COUNT", "__REST__"],
         [[(0, 0)], [(2, 6)], [(1, 0), (3, 0)]]),
        ([], ["__REST__"], [[]]),
        (["KEY 1"], [None], [[(0, 0)]]),
    ],
)  # fmt: skip
def test_assign_arguments(args, keywords, slots):
    assert assign_arguments(args, keywords) == slots
