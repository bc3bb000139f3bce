"""Formatting: what a text means stays, and so does what it looks like once it is formatted."""

from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from tests.lang.test_click_roundtrip import statements

from clickbpf.errors import ClickError, Diagnostics, Sources
from clickbpf.lang import unparse
from clickbpf.lang.ast import File
from clickbpf.lang.formatting import formatted
from clickbpf.lang.tokenizer import tokenize

CONFIGS = sorted((Path(__file__).parents[2] / "configs").rglob("*.click"))


def tokens(text):
    return tokenize(text, "config", Sources(), Diagnostics())


def meaning(text):
    """The tokens, arguments included."""
    return [(token.type, str(token), token.config and token.config.text) for token in tokens(text)]


@pytest.mark.parametrize("path", CONFIGS, ids=lambda path: path.stem)
def test_configurations_are_formatted(path):
    assert formatted(path.read_text()) == path.read_text()


BETWEEN = st.sampled_from([
    " ", "\n", "\n\n\n\n", "\t  ", "\r\n", " // c\n", "/* (\n  ; */", "\n// a\n\n// b\n", "\n#!x\n", "\n# 3 \"f\"\n", "   ",
])  # fmt: skip


@st.composite
def scattered(draw):
    """A text whose tokens have anything between them."""
    text = unparse(draw(statements(2, nested=False).map(File)))
    places = [token.offset for token in tokens(text)][1:]
    for place in reversed(places):
        if text[place : place + 1] != "(" or text[place - 1] in " \n":  # arguments are next to what they belong to, or else a group
            text = text[:place] + draw(st.just("") | BETWEEN) + text[place:]
    return text


@given(scattered())
@settings(max_examples=25, deadline=None)
def test_whatever_is_between_tokens(text):
    made = formatted(text)
    assert meaning(made) == meaning(text)
    assert formatted(made) == made
    assert made.count("//") == text.count("//") and made.count("/*") == text.count("/*")


def test_the_rest_of_a_file_may_be_a_comment():
    assert formatted("a  ;/* b\n c ") == formatted("a; /* b\n c\n") == "a; /* b\n c\n"


def test_what_it_looks_like():
    text = (
        "#!/usr/bin/clickbpf-run\n\n\n\n//  first\na  ::Counter;b :: Null ;   // beside\n  // of the chain\n"
        " a->b\n->  [ 1 ]c[0,1]\n   -> Print(x,\n"
        "         y, 'in\n  a string');\n/* a\n     block */\nelementclass  Two{$x,N $y|\ninput[1]->t::Tee->output\n// last\n}\n"
        "# 12 \"other.click\"\n{ input->output }->(d;)  ;  e -> f;\n\n\n"
    )
    assert formatted(text) == (
        "#!/usr/bin/clickbpf-run\n\n//  first\na :: Counter; b :: Null;   // beside\n// of the chain\n"
        "a -> b\n\t-> [1] c [0, 1]\n\t-> Print(x,\n"
        "         y, 'in\n  a string');\n/* a\n     block */\n"
        "elementclass Two { $x, N $y |\n\tinput[1] -> t :: Tee -> output\n\t// last\n}\n"
        "# 12 \"other.click\"\n{ input -> output } -> (d;);  e -> f;\n"
    )


def test_line_ends_are_those_of_the_text():
    assert formatted("a :: Idle;\r\n\r\n\r\na->Discard") == "a :: Idle;\r\n\r\na -> Discard\r\n"


def test_a_text_with_mistakes_is_refused():
    with pytest.raises(ClickError):
        formatted("a -> (b")
