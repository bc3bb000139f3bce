"""Whatever is in a text, and wherever it is cut off, an editor gets answers."""

import time
from pathlib import Path

import pytest
from tests.axes import few

from clickbpf.editor import answers
from clickbpf.editor.analysis import Analysis, analyse
from clickbpf.editor.words import words
from clickbpf.ui.completing import completions
from clickbpf.vocabulary.library import Library

CONFIGS = Path(__file__).parents[2] / "configs"
LIBRARY = Library.standard()
FILES = sorted(CONFIGS.rglob("*.click"))


def ask_everywhere(analysis):
    for word in analysis.names.words:
        answers.hover(analysis, word.at, LIBRARY)
        answers.definition(analysis, word.at, LIBRARY)
        assert word in answers.references(analysis, word.at) or analysis.names.meaning(word) is None
    answers.outline(analysis)


@pytest.mark.parametrize("path", few(FILES, 12), ids=lambda path: path.stem)
def test_every_word_of_a_configuration_is_where_it_says(path):
    text = path.read_text()
    analysis = Analysis(text, str(path), words(text, str(path)))
    lines = text.splitlines()
    for word in analysis.names.words:
        line, column = word.at
        assert lines[line][column : word.end[1]].endswith(word.text)
    ask_everywhere(analysis)


def test_a_text_that_is_cut_off_anywhere_has_answers():
    text = (CONFIGS / "nat.click").read_text()
    for length in range(0, len(text), 211):
        part = text[:length]
        analysis = analyse(part, "nat.click", LIBRARY) if length % 5 == 0 else Analysis(part, "nat.click", words(part, "nat.click"))
        ask_everywhere(analysis)
        end = (part.count("\n"), len(part) - part.rfind("\n") - 1)
        answers.proposals(part, length, analysis, end, LIBRARY)


@pytest.mark.parametrize(
    "text",
    ["", "}", "{{{", "a ::", ":: b", "$", "(((", 'x("', "elementclass", "elementclass {", '# 7 "other"\na :: b;', "\x00\ud800"],
)
def test_texts_that_make_no_sense_have_answers(text):
    analysis = analyse(text, "odd.click", LIBRARY)
    ask_everywhere(analysis)
    answers.proposals(text, len(text), analysis, (0, len(text)), LIBRARY)


#: Characters or words of a text that is longer than any that people write.
MANY = 40_000


@pytest.mark.parametrize(
    "text",
    few([
        "a" * MANY,
        "a/" * MANY,
        "Idle(" + "a" * MANY,
        "Idle(" + "a" * MANY + ".",
        "Idle($" + "a" * MANY,
        "a" * MANY + "(",
        " " * MANY + "(",
        "a, " * MANY + "b :: Idle;",
        "define(" + ", ".join(f"$a{n} {n}" for n in range(MANY)) + ")",
        "".join(f"a{n} :: Idle;\n" for n in range(MANY // 4)) + "c :: { input -> output };",
        "Idle(" + "()" * MANY,
    ]),
    ids=lambda text: text[:8],
)
def test_long_texts_are_answered_soon(text):
    """What a word costs doesn't grow with its length, or with the number of words."""
    begin = time.thread_time()
    completions(text, len(text), LIBRARY)
    answers.outline(Analysis(text, "", words(text)))
    assert time.thread_time() - begin < 6


@pytest.mark.parametrize("blanks", [" ", "\n", "\r\n"])
def test_words_of_arguments_are_where_they_stand(blanks):
    text = f"define($a 1,{blanks}$b{blanks}2, $c $a);{blanks}e :: Null({blanks}x, $b);"
    found = words(text).words
    lines = text.replace("\r\n", "\n").split("\n")
    assert all(lines[word.at[0]][word.at[1] : word.end[1]].lstrip("$") == word.text for word in found)
    assert {symbol.name for symbol in words(text).symbols.values()} == {"a", "b", "c", "e"}
