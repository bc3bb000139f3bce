"""Rules as bit vectors mean what their expressions say."""

import pytest
from hypothesis import given, settings
from tests.classify import meaning
from tests.classify.meaning import look_up

from clickbpf.classify import MOST_RULES, Program, TooMany, halves
from clickbpf.classify import expression as e
from clickbpf.classify.vectors import WORD, Vectors

from .test_graph import PACKETS, RULES, first_true

#: Rules that look at a half, as all vectors do.
SOME = Vectors([(e.Test("a", 0, 0xFF, 0), 0)])


def numbered(rules: list) -> list[tuple[e.Expression, int]]:
    return [(rule, number) for number, rule in enumerate(rules)]


@settings(max_examples=100, deadline=None)
@given(RULES, PACKETS)
def test_vectors_give_what_the_first_true_rule_says(rules, packet):
    assert look_up(Vectors(numbered(rules), SOME), packet) == first_true(rules, packet)


@pytest.mark.parametrize("short", [False, True])
@pytest.mark.parametrize("length", range(5))
def test_a_word_may_end_anywhere(length, short):
    rules = [e.Test("a", 0, mask, 0x01010101 & mask, short) for mask in (0xFF, 0xFF00, 0xFFFF00, 0xFFFF0000, 0xFF000000)]
    for rule in (*rules, *map(e.Not, rules)):
        packet = {"a": bytes([1, 1, 1, 1])[:length]}
        assert look_up(Vectors(numbered([rule])), packet) == first_true([rule], packet)


def many(count: int) -> list:
    """Pairs of addresses, each with a number of its own; some for any source."""
    return [
        e.All(*([] if n % 7 == 0 else [e.Test("a", 0, 0xFFFFFF00, n << 8)]), e.Test("a", 4, 0xFFFF, n * 31 % 500)) for n in range(count)
    ]


def test_the_first_of_thousands_of_rules_counts_wherever_it_stands():
    """More than 4096, so that a summary has several words."""
    rules = many(WORD * WORD + 300)
    made = Vectors(numbered(rules))
    assert made.summary == 2
    for n in (0, 1, 6, 7, 8, 2000, WORD * WORD - 1, WORD * WORD, len(rules) - 1):
        for source in (n, 77777):
            packet = {"a": (source << 8 | 5).to_bytes(4, "big") + bytes(2) + (n * 31 % 500).to_bytes(2, "big")}
            assert look_up(made, packet) == first_true(rules, packet)


def test_few_words_are_looked_at(monkeypatch):
    rules = many(WORD * WORD)
    made, looks, common = Vectors(numbered(rules)), [], meaning.common
    monkeypatch.setattr(meaning, "common", lambda *args: looks.append(args) or common(*args))
    look_up(made, {"a": (4000 << 8).to_bytes(4, "big") + (4000 * 31 % 500).to_bytes(4, "big")})
    assert len(looks) < 8 < made.words


def test_few_rules_are_code_and_many_are_data():
    assert Program(numbered(many(MOST_RULES))).vectors is None
    assert Program(numbered(many(MOST_RULES + 1))).vectors


def test_a_rule_with_too_many_alternatives_is_no_vector(monkeypatch):
    monkeypatch.setattr(halves, "MOST", MOST := 8)
    sides = [e.All(e.Test("a", 0, 0xFFFFFFFF, n * 0x10001), e.Test("a", 4, 0xFFFFFFFF, n * 0x10001)) for n in range(MOST + 1)]
    with pytest.raises(TooMany):
        Vectors([(e.Some(*sides), 0)])
    assert Program([(e.Some(*sides), 0)] * (MOST_RULES + 1)).vectors is None


def test_what_takes_a_programs_place_is_of_its_kind():
    few, lots = Program(numbered(many(3))), Program(numbered(many(MOST_RULES + 1)))
    assert Program(numbered(many(MOST_RULES + 1)), few).vectors is None
    after = Program(numbered(many(3)[1:2]), lots).vectors
    assert after.halves == lots.vectors.halves and after.summary == lots.vectors.summary
