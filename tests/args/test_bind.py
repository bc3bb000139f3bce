"""Arguments of a configuration string against declarations: Click's Args (include/click/args.hh)."""

import re

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from clickbpf.args import (
    MOST_MISTAKES,
    NOWHERE,
    ArgError,
    Bool,
    Bulk,
    Integer,
    Keyword,
    ListOf,
    Optional,
    Raw,
    Required,
    RequiredKeyword,
    Rest,
    String,
)
from clickbpf.args.bind import bind, elided


class Secret(Raw):
    def elided(self, text):
        return "..."


PAINT = (Required("COLOR", Integer(8)), Optional("ANNO", Integer(8), 16), Keyword("ACTIVE", Bool(), True))


def values(declared, config):
    bound = bind("Paint", declared, config, NOWHERE)
    assert not bound.errors, bound.errors
    return vars(bound.cfg)


def errors(declared, config):
    """(message, the text from the offset on), in the order found."""
    found = bind("Paint", declared, config, NOWHERE).errors
    return [(error.message, None if offset is None else config[offset:]) for error, offset in found]


@pytest.mark.parametrize(
    "config, color, anno, active",
    [
        ("3", 3, 16, True),
        ("3, 17", 3, 17, True),
        ("3, ANNO 17", 3, 17, True),
        ("COLOR 3", 3, 16, True),
        ("ANNO 17, COLOR 3", 3, 17, True),
        ("ACTIVE false, ANNO 17, COLOR 3", 3, 17, False),
        ("3, ACTIVE no", 3, 16, False),
        ("  3 /* red */ , // nothing\n 17,", 3, 17, True),
        ("3, , ACTIVE no", 3, 16, False),
    ],
)
def test_positions_and_names(config, color, anno, active):
    assert values(PAINT, config) == {"color": color, "anno": anno, "active": active}


@pytest.mark.parametrize(
    "config, expected",
    [
        ("", [("required argument COLOR is missing", None)]),
        ("ANNO 17", [("required argument COLOR is missing", None)]),
        (", 17", [("required argument COLOR is missing", None)]),
        ("3, 4, 5, 6", [("too many arguments", "5, 6")]),
        ("3, ACTIV no", [("ACTIV: unknown argument", "ACTIV no")]),
        ("3, COLOR red", [("COLOR: 'red' is not an integer from 0 to 255", "red")]),
        ("COLOR 3, COLOR 4, 5", [("an argument without a name after one that has a name", "5")]),
        ("ANNO 17, 3", [("an argument without a name after one that has a name", "3")]),
        ("red", [("COLOR: 'red' is not an integer from 0 to 255", "red")]),
        ("dark red", [("COLOR: 'dark red' is not an integer from 0 to 255", "dark red")]),
        ("3, ACTIVE  /**/ maybe", [("ACTIVE: 'maybe' is not true or false", "maybe")]),
        (
            "300, 1, FOO 1, ACTIVE x",
            [
                ("COLOR: out of range, bound 255", "300, 1, FOO 1, ACTIVE x"),
                ("ACTIVE: 'x' is not true or false", "x"),
                ("FOO: unknown argument", "FOO 1, ACTIVE x"),
            ],
        ),
    ],
)
def test_mistakes(config, expected):
    assert errors(PAINT, config) == expected


@pytest.mark.parametrize("config, color, earlier", [("3, COLOR 4", 4, ["3, COLOR 4"]), ("COLOR red, COLOR 4", 4, ["COLOR red, COLOR 4"])])
def test_of_several_values_the_last_counts(config, color, earlier):
    """As in Click, which parses that one only."""
    assert values(PAINT, config) == {"color": color, "anno": 16, "active": True}
    found = bind("Paint", PAINT, config, NOWHERE).warnings
    assert [config[offset:] for _, offset in found] == earlier
    assert all("COLOR is given again later" in warning.message for warning, _ in found)


def test_a_secret_that_does_not_count_is_a_secret_still():
    assert elided("KEY 0x1234, KEY 0x5678", (Keyword("KEY", Secret()),)) == "KEY ..., KEY ..."


class Numbers(Bulk):
    """Whole numbers; those of one digit are in the plain form."""

    def run(self, config, start):
        end = re.compile(r"(?:\s*\d\s*,){0,4}").match(config, start).end()
        return [int(digit) for digit in re.findall(r"\d", config[start:end])], end

    def collect(self, parts):
        return [number for part in parts for number in part]

    def parse(self, text, context=NOWHERE):
        return Integer().parse(text, context)

    def describe(self):
        return "a number"


MANY = (Rest("NUMBER", Numbers()), Keyword("ACTIVE", Bool(), True))
WRITTEN = ["1", " 2 ", "\n3", "10", "/* 4 */ 5", "6 // 7\n", "ACTIVE no", "12 /* , */", ""]


@settings(max_examples=300)
@given(st.lists(st.sampled_from(WRITTEN), max_size=14), st.booleans())
def test_arguments_in_bulk_are_the_same_as_one_by_one(parts, ends_with_comma):
    parts = [part for number, part in enumerate(parts) if part != "ACTIVE no" or part not in parts[:number]]
    config = ",".join(parts) + "," * ends_with_comma
    in_bulk = bind("Many", MANY, config, NOWHERE)
    single = bind("Many", (Rest("NUMBER", Integer()), MANY[1]), config, NOWHERE)
    assert [(str(error).replace("an integer", "a number"), offset) for error, offset in single.errors] == [
        (str(error).replace("an integer", "a number"), offset) for error, offset in in_bulk.errors
    ]
    assert [(g.text, g.offset) for g in single.given["NUMBER"]] == [(g.text, g.offset) for g in in_bulk.given["NUMBER"]]
    if not single.errors:
        assert (list(single.cfg.number), single.cfg.active) == (in_bulk.cfg.number, in_bulk.cfg.active)


@pytest.mark.parametrize("type_", [Numbers(), Integer()])
def test_mistakes_are_bounded(type_):
    found = bind("Many", (Rest("NUMBER", type_),), ", ".join(["1", *["x"] * 100_000]), NOWHERE).errors
    assert len(found) == MOST_MISTAKES + 1
    assert (str(found[0][0]).split(":")[0], found[0][1]) == ("NUMBER", 3)
    assert (str(found[-1][0]), found[-1][1]) == ("too many mistakes", 3 + 3 * MOST_MISTAKES)


def test_hints():
    def hint(config):
        return bind("Paint", PAINT, config, NOWHERE).errors[0][0].hint

    assert hint("3, ACTIV no") == "did you mean 'ACTIVE'?"
    assert hint("3, X no") == "expected Paint(COLOR, [ANNO], [ACTIVE ...])"
    assert hint("3, 4, 5") == "expected Paint(COLOR, [ANNO], [ACTIVE ...])"
    assert hint("") == "expected COLOR, an integer from 0 to 255"
    assert hint("ANNO 17, 3") == "put it first, or write COLOR 3"
    assert hint("300") == "expected an integer from 0 to 255"
    assert hint("3 17") == hint("COLOR 3 ANNO 17") == "is a comma missing after '3'?"
    assert hint("3 packets") is hint("dark red") is None, "a unit follows no comma"
    assert hint("3, ANNO=17") == "only a space stands between a name and its value: 'ANNO 17'"
    assert hint("3, ANNO, 17") == "only a space stands between a name and its value: 'ANNO VALUE'"
    assert len(errors((Required("A", Integer()), Required("B", Integer())), "1 2")) == 1, "B isn't missing"
    label = bind("Print", (Optional("LABEL", String()), *PAINT), '"a b" COLOR 3', NOWHERE).errors
    assert [error.hint for error, _ in label] == ["is a comma missing after '\"a b\"'?"]
    quotes, comma = "put LABEL in double quotes if it has several words", "is a comma missing after 'a'?"
    for config, expected in (("a b, 64", quotes), ("a N 64", comma)):
        label = bind("Print", (Optional("LABEL", String()), Optional("N", Integer())), config, NOWHERE).errors
        assert [error.hint for error, _ in label] == [expected]


def test_no_arguments():
    assert values((), "") == {}
    assert errors((), "3") == [("too many arguments", "3")]


def test_a_word_in_front_is_no_name_where_something_must_be_given():
    """Click: `Required` takes the argument at its position even if it begins like a keyword, `Optional` does not."""
    assert values((Required("TEXT", Raw()),), "hello world") == {"text": "hello world"}
    assert errors((Optional("TEXT", Raw()),), "hello world") == [("hello: unknown argument", "hello world")]


def test_names_that_only_look_like_names():
    """A name is followed by space and a value; Click accepts letters, digits, `_:.?!` after the first letter."""
    assert values((Optional("TEXT", Raw()),), "TEXT") == {"text": "TEXT"}
    assert values((Optional("TEXT", Raw()),), "9to 5") == {"text": "9to 5"}
    assert values((Optional("TEXT", Raw()),), "a/b c") == {"text": "a/b c"}
    assert values((Keyword("A.B?", Raw()),), "A.B? c") == {"a.b?": "c"}


def test_required_keyword():
    declared = (RequiredKeyword("FILE", String()),)
    assert values(declared, "FILE x") == {"file": "x"}
    assert errors(declared, "x") == [("too many arguments", "x"), ("required argument FILE is missing", None)]


def test_rest():
    declared = (Keyword("TIMEOUT", Integer()), Rest("PATTERN", Raw()))
    assert values(declared, "allow src 1.0.0.1, TIMEOUT 3, -") == {"timeout": 3, "pattern": ("allow src 1.0.0.1", "-")}
    assert values(declared, "") == {"timeout": None, "pattern": ()}


def test_rest_behind_positions():
    assert values((Required("N", Integer()), Rest("MORE", Integer())), "1, 2, 3") == {"n": 1, "more": (2, 3)}


def test_rest_places_and_least():
    declared = (Rest("N", Integer(), least=2),)
    assert errors(declared, "1, x, 3, y") == [
        ("N: 'x' is not an integer from 0 to 4294967295", "x, 3, y"),
        ("N: 'y' is not an integer from 0 to 4294967295", "y"),
    ]
    assert errors(declared, "1") == [("too few arguments", None)]


def test_offset_within_an_argument():
    declared = (Required("L", ListOf(Integer(8))),)
    assert errors(declared, "L 1 2 300 4") == [("L: out of range, bound 255", "300 4")]
    assert errors(declared, "1 /* one */ // uno\n  2/**/300 4") == [("L: out of range, bound 255", "300 4")]


def test_errors_of_the_class_find_their_argument():
    bound = bind("C", (Keyword("A", Integer()), Rest("B", Raw())), "x, A 1, yy", NOWHERE)
    assert bound.locate(ArgError("", argument="A")) == 5
    assert bound.locate(ArgError("", argument="B", index=1, offset=1)) == 9
    assert bound.locate(ArgError("")) is None
    assert bound.locate(ArgError("", argument="B", index=2)) is None


def test_names_anywhere():
    """Some classes take the arguments that have names out first."""
    declared = (Required("A", Integer()), Optional("B", Integer()), Keyword("C", Integer()), Keyword("D", Integer()))
    for config in ("C 3, 1, 2", "1, C 3, 2", "C 3, A 1, B 2", "B 2, C 3, 1"):
        bound = bind("X", declared, config, NOWHERE, names_anywhere=True)
        assert not bound.errors
        assert (bound.cfg.a, bound.cfg.b, bound.cfg.c) == (1, 2, 3)
    assert bind("X", declared, "C 3, 1, 2, 4", NOWHERE, names_anywhere=True).errors
