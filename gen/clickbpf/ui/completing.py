"""Completion of words in a text, with the language server's proposals (editor/answers.py)."""

import re
from typing import Any

from clickbpf.editor.analysis import Analysis
from clickbpf.editor.answers import proposals
from clickbpf.editor.words import words
from clickbpf.vocabulary.library import Library

#: The most proposals.
MOST = 40


def completions(text: str, at: int, library: Library) -> dict[str, Any]:
    """The start of the word that ends at an offset (in characters), and proposals for it: text, kind and description. Those that begin with
    the word come first, then those that contain it."""
    before = text[:at]
    begin = at - len(re.match(r"[\w@]*", before[::-1])[0])
    typed, position = text[begin:at].lower(), (before.count("\n"), at - before.rfind("\n") - 1)
    found = proposals(text, at, Analysis(text, "", words(text)), position, library)
    rows = {(each.text.lstrip("$"), each.kind): each.about for each in reversed(found)}
    fitting = [(word, kind, about) for (word, kind), about in rows.items() if typed in word.lower() and word != text[begin:at]]
    fitting.sort(key=lambda row: (not row[0].lower().startswith(typed), row[0].lower()))
    return {"begin": begin, "proposals": fitting[:MOST]}
