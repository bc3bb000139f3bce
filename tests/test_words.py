"""Words that an engineer who grew up with English would not write: each with those that are meant instead.

The list is short on purpose. A pattern is for one thing, has no exceptions among good sentences, and is found in comments, docstrings,
messages and pages alike.
"""

import re
from pathlib import Path

import pytest

from clickbpf.vocabulary.library import own_elements

ROOT = own_elements().parent
#: Files in which people read English; this one quotes what it looks for.
FOLDERS = ("bpf", "configs", "demo", "docs", "elements", "gen", "tests", "tools", "userspace")
READ = (".py", ".c", ".h", ".md", ".click", ".sh", ".js", ".html")

WORDS = {
    r"such that\b": "so that, or: with",
    r"(stands?|stood|comes?|came|goes|puts?|follows?|lies|written) behind\b": "after",
    r"tells? (the|its|users?|Linux|everybody|nobody|whether|how|what|which|us|others|Click)\b(?! apart)": "reports, or: shows",
    r"(is|are|was|were|be|been|being) told (?!apart|from)": "is informed, or: learns",
    r"(it|that|which|who|one) is none\b": "isn't one",
    r"(who|which|that|it) gives? on\b": "passes on",
    r"(who|which|that|what|it|element|path) does without\b": "has no, or: doesn't need",
    r"for the sake of\b": "for, or: because of",
    r"what is more\b": "the rest, or: besides",
    r"an own\b": "its own, or: one of its own",
    r"(allow|allows|allowed|permit|permits|permitted) to [a-z]+\b": "lets it, or: makes it possible to",
    r"(depends?|depending) of\b": "on",
    r"(thereof|therein|hereby|thereby|whereof|wherein)\b": "of it, in it, by it",
    r"informations\b": "information",
}


def mistakes(text: str) -> list[tuple[int, str, str]]:
    """(line, what is written, what is meant) of each."""
    found = ((match, meant) for words, meant in WORDS.items() for match in re.finditer(rf"\b{words}", text))
    return sorted((text.count("\n", 0, match.start()) + 1, match[0], meant) for match, meant in found)


def test_words():
    kept = [path for folder in FOLDERS for path in (ROOT / folder).rglob("*") if path.suffix in READ]
    paths = sorted({*kept, *ROOT.glob("*.md"), ROOT / "Makefile"} - {Path(__file__).resolve()})
    assert len(paths) > 1000
    found = [
        f"{path.relative_to(ROOT)}:{line}: '{words}': write '{meant}'"
        for path in paths
        for line, words, meant in mistakes(path.read_text(errors="replace"))
    ]
    assert not found, "\n".join(found)


@pytest.mark.parametrize(
    "text, lines",
    [
        ("plain\nThe element comes behind another.", [2]),
        ("A router that is none.\nThe caller tells whether it is.", [1, 2]),
        ("Flows are told apart by ports; a host behind a gateway.", []),
        ("what depends of\nfiles allows to read them", [1, 2]),
    ],
)
def test_where_they_are(text, lines):
    assert [line for line, _, _ in mistakes(text)] == lines
