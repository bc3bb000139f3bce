"""Numbers in texts that anyone may have written: at each place where such a text was taken for a number."""

import pytest

from clickbpf.compile import Compilation, check_text
from clickbpf.digits import MOST, number
from clickbpf.errors import ClickError
from clickbpf.lang.archive import MAGIC, read_archive
from clickbpf.runtime.handlers import HandlerError
from clickbpf.runtime.host import Runtime
from clickbpf.vocabulary.library import Library

LIBRARY = Library.standard()
#: Python takes the first for digits, but for no number; the second for a number; and refuses the last one with a ValueError.
HOSTILE = ["\N{SUPERSCRIPT TWO}", "\N{ARABIC-INDIC DIGIT ONE}", "9" * 5000]


@pytest.mark.parametrize("text, value", [("0", 0), ("007", 7), (b"12", 12), ("9" * MOST, 10**MOST - 1)])
def test_numbers(text, value):
    assert number(text) == value


@pytest.mark.parametrize("text", ["", " 1", "-1", "+1", "1_0", "0x1", "9" * (MOST + 1), b"", b"\xb2", *HOSTILE])
def test_other_texts(text):
    assert number(text) is None


@pytest.mark.parametrize("text", HOSTILE)
def test_elements_by_their_number(text):
    with Runtime(Compilation(check_text("Idle -> c :: Counter -> Discard;", LIBRARY))) as runtime:
        assert runtime.handlers.split("2.count") == ("c", "count")
        with pytest.raises(HandlerError):
            runtime.handlers.split(f"{text}.count")


@pytest.mark.parametrize("text", HOSTILE)
def test_arguments_of_handlers_by_their_number(text):
    text = f"s :: Script(TYPE PASSIVE, return x${{{text}}}y$1);"
    with Runtime(Compilation(check_text(text, LIBRARY))) as runtime:
        assert runtime.handlers.read("s", "run", "one").rstrip().endswith("yone")


@pytest.mark.parametrize("name", ["#1/\xb2", "/\xb2"])
def test_names_in_archives(name):
    header = f"{name:<16}{0:<12}{0:<6}{0:<6}{644:<8}{0:<10}".encode("latin-1") + b"`\n"
    assert len(header) == 60
    try:
        read_archive(MAGIC + header, "x")
    except ClickError as error:
        assert error.diagnostics
