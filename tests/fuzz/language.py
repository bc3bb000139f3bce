"""Configurations and arguments that are nearly right: each is taken, or refused with a place and a message, and soon.

A word of a sound configuration is left out, doubled, exchanged for another's, or cut; bytes are changed.
"""

import re
import time
from collections.abc import Iterator
from pathlib import Path
from random import Random

from clickbpf.compile import check_text
from clickbpf.errors import ClickError
from clickbpf.testing.examples import blocks
from clickbpf.vocabulary.library import Library

ROOT = Path(__file__).parents[2]
LIBRARY = Library.standard()
#: Seconds that a configuration of a few kB may take.
SOON = 5.0
#: Words that end, begin or mean something to the language or to some type of argument.
WORDS = (
    "->", "::", ";", ",", "(", ")", "[", "]", "{", "}", "|", "||", "=>", "~", "//", "/*", "*/", '"', "'", "\\", "\\<", "\\>", "#",
    '# 1 "x"\n', "elementclass", "define", "require", "package", "input", "output", "$a", "$", "${", "-1", "0", "4294967296", "1e999",
    "0x", "::1", "1.2.3.4/33", "true", "", "\0", "\r", "é", "\U0001f600", "\udcff", "9" * 5000, "eth0", "@1", "/", "a/b",
    f'# {"9" * 5000} "x"\n', f"${{x[{'9' * 5000}]}}", "18446744073709551616", "-0", "1:2:3:4:5:6", "%n",
)  # fmt: skip
_PARTS = re.compile(r"\w+|\s+|[^\w\s]+")


def sound() -> list[str]:
    """Configurations to begin with: those of the project, and the examples of manual pages."""
    files = sorted((ROOT / "configs").rglob("*.click"))
    pages = (text for name in LIBRARY.names() for text in blocks(LIBRARY.find(name)))
    return [*(path.read_text() for path in files), *pages]


def changed(random: Random, text: str, others: list[str]) -> str:
    """One to four changes of a text."""
    parts = _PARTS.findall(text)
    for _ in range(1 + random.randrange(4)):
        at = random.randrange(len(parts) + 1)
        kind = random.randrange(6)
        if kind == 0:
            parts[at : at + 1 + random.randrange(3)] = []
        elif kind == 1:
            parts[at:at] = [random.choice(WORDS)]
        elif kind == 2:
            parts[at : at + 1] = [random.choice(WORDS)]
        elif kind == 3:
            parts[at:at] = parts[at : at + 1 + random.randrange(20)]
        elif kind == 4:
            other = _PARTS.findall(random.choice(others))
            start = random.randrange(len(other) + 1)
            parts[at:at] = other[start : start + 1 + random.randrange(12)]
        else:
            parts[at:] = []
    return "".join(parts)


def inputs(seed: int) -> Iterator[str]:
    random, texts = Random(seed), sound()
    while True:
        yield changed(random, random.choice(texts), texts)


def try_one(text: str) -> bool:
    """Whether a configuration is refused. AssertionError if it isn't dealt with as it should be; any other exception is a defect, too."""
    begin, refused = time.process_time(), False
    try:
        check_text(text, LIBRARY)
    except ClickError as error:
        refused = True
        assert error.diagnostics and all(each.message for each in error.diagnostics)
        assert str(error)
    assert time.process_time() - begin < SOON, "it takes too long"
    return refused
