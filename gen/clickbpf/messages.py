"""How mistakes are shown: with their lines and advice, or as Click shows them, for programs that were written for Click's tools.

Click's manner is used under the names of Click's tools (`click`, `click-flatten`, ...), and with CLICKBPF_MESSAGES=click.
"""

from __future__ import annotations

import os
import re
import sys
from collections.abc import Iterable
from pathlib import Path

from clickbpf.errors import Diagnostic, Sources, render, render_as_click

VARIABLE = "CLICKBPF_MESSAGES"
#: Bytes of a configuration, or of a file's name, that are no part of UTF-8.
_BYTES = re.compile("[\udc80-\udcff]")


def as_click() -> bool:
    """Whether to show mistakes in Click's manner."""
    return os.environ.get(VARIABLE) == "click" or Path(sys.argv[0]).name.startswith("click-") or Path(sys.argv[0]).name == "click"


def expression_name() -> str:
    """The name shown as the file of a configuration given on the command line."""
    return "config" if as_click() else "<expression>"


def show(diagnostics: Iterable[Diagnostic], sources: Sources | None = None) -> None:
    """Print on standard error."""
    sys.stdout.flush()
    text = render_as_click(diagnostics) if as_click() else render(diagnostics, sources)
    sys.stderr.write(_BYTES.sub("\N{REPLACEMENT CHARACTER}", text))
