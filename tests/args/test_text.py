"""Texts: Click's StringArg, WordArg, FilenameArg and keyword sets."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from clickbpf.args import ArgError, Bytes, Enum, Filename, Integer, ListOf, Raw, String, Word
from clickbpf.args.types import OneOf


@pytest.mark.parametrize(
    "text, value", [("abc", "abc"), ('"a b, c"', "a b, c"), ("'a \\n b'", "a \\n b"), ('"a\\tb"', "a\tb"), ("a'b c'd", "ab cd"), ('""', "")]
)
def test_string(text, value):
    assert String().parse(text) == value


@pytest.mark.parametrize("text", ["a b", '"a" "b"', ""])
def test_not_one_string(text):
    with pytest.raises(ArgError, match="is not a string") as error:
        String().parse(text)
    assert error.value.hint == "put it in double quotes"


def test_data():
    assert Bytes().parse("\\<48656c6C 6f 2 /* And finally */ 1>") == b"Hello!"
    assert Bytes().parse('"\\xff\\0"') == b"\xff\0"
    assert Bytes().parse("é") == b"\xc3\xa9"


@given(st.binary())
def test_data_round_trip(value):
    assert Bytes().parse(Bytes().unparse(value)) == value


@given(st.text(st.characters(exclude_categories=["Cs"])))
def test_string_round_trip(value):
    assert String().parse(String().unparse(value)) == value


def test_word():
    assert Word().parse('"abc-1"') == "abc-1"
    for text in ('"a b"', '""', '"a,b"', "a'\"'", "é", "a\\b"):
        with pytest.raises(ArgError, match="is not a word"):
            Word().parse(text)


def test_filename(monkeypatch):
    monkeypatch.setenv("HOME", "/home/k")
    assert Filename().parse('"~//my file.txt~"') == "/home/k/my file.txt~"
    assert Filename().parse('"/a///b"') == "/a/b"
    assert Filename().parse("-") == "-"
    with pytest.raises(ArgError, match="the file name is empty"):
        Filename().parse('""')


def test_enum_of_keywords():
    kind = Enum("HEAD", "TAIL")
    assert kind.parse("TAIL") == "TAIL"
    assert kind.parse('"TAIL"') == kind.parse("'TAIL'") == "TAIL"
    assert kind.c_value("TAIL") == "1"
    with pytest.raises(ArgError, match="'tail' is not HEAD or TAIL") as error:
        kind.parse("tail")
    assert error.value.hint == "did you mean 'TAIL'?"


def test_enum_with_values():
    kind = Enum(PASSIVE=0, ACTIVE=7)
    assert kind.parse("ACTIVE") == 7
    assert kind.c_value(7) == "7"
    assert kind.unparse(7) == "ACTIVE"


def test_raw_keeps_quotes():
    assert Raw().parse('"a b" c') == '"a b" c'


def test_list():
    kind = ListOf(Integer(8), least=1)
    assert kind.parse("1 0x2  3") == (1, 2, 3)
    assert kind.unparse((1, 2)) == "1 2"
    with pytest.raises(ArgError, match="out of range, bound 255") as error:
        kind.parse("1 256 3")
    assert error.value.offset == 2
    with pytest.raises(ArgError, match="expected a list"):
        kind.parse("")


def test_one_of():
    kind = OneOf(Integer(8), Word())
    assert kind.parse("7") == 7
    assert kind.parse("seven") == "seven"
    assert kind.c_type is None
    with pytest.raises(ArgError, match="is not an integer from 0 to 255 or a word"):
        kind.parse('"a b"')
