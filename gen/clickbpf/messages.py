"""Prints diagnostics: with their lines and hints or, for programs that were written for Click's tools, in Click's format.

On a terminal they are coloured, unless NO_COLOR is set (no-color.org) or TERM is "dumb". Click's format is used if the command is called by
the name of one of Click's tools (`click`, `click-flatten`, ...), or with CLICKBPF_MESSAGES=click.
"""

import os
import re
import sys
from collections.abc import Iterable
from pathlib import Path
from typing import Any

from clickbpf.errors import Diagnostic, Fix, Sources, render, render_as_click, word_end

VARIABLE = "CLICKBPF_MESSAGES"
#: Bytes of a configuration or a file's name that aren't UTF-8.
_BYTES = re.compile("[\udc80-\udcff]")


def as_click() -> bool:
    """Whether to show diagnostics in Click's format."""
    return os.environ.get(VARIABLE) == "click" or Path(sys.argv[0]).name.startswith("click-") or Path(sys.argv[0]).name == "click"


def expression_name() -> str:
    """The name shown as the file of a configuration given on the command line."""
    return "config" if as_click() else "<expression>"


def show(diagnostics: Iterable[Diagnostic], sources: Sources | None = None) -> None:
    """Print diagnostics on standard error."""
    sys.stdout.flush()
    coloured = sys.stderr.isatty() and not os.environ.get("NO_COLOR") and os.environ.get("TERM") != "dumb"
    text = render_as_click(diagnostics) if as_click() else render(diagnostics, sources, coloured)
    sys.stderr.write(_BYTES.sub("\N{REPLACEMENT CHARACTER}", text))


def plain(diagnostic: Diagnostic, sources: Sources | None = None) -> dict[str, Any]:
    """A diagnostic for programs. Lines and columns count from 1, columns in characters; `end_column` is the column after the word at its
    place, if `sources` have the line; a `fix` replaces the `old` text there by the `new` one."""
    place, hint = diagnostic.place, diagnostic.hint
    line = sources.line(place) if sources and place else None
    return {
        "severity": diagnostic.severity,
        "message": diagnostic.message,
        "hint": hint,
        "file": place.file if place else None,
        "line": place.line if place else None,
        "column": place.column if place else None,
        "end_column": None if line is None else place.column + len(hint.old) if isinstance(hint, Fix) else word_end(line, place.column),
        "fix": {"old": hint.old, "new": hint.new} if isinstance(hint, Fix) else None,
    }
