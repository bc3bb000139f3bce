"""How mistakes are shown: with their lines and advice, or as Click shows them, for programs that were written for Click's tools.

Click's manner is used under the names of Click's tools (`click`, `click-flatten`, ...), and with CLICKBPF_MESSAGES=click.
"""

from __future__ import annotations

import os
import sys
from collections.abc import Iterable
from pathlib import Path

from clickbpf.errors import Diagnostic, Sources, render, render_as_click

VARIABLE = "CLICKBPF_MESSAGES"


def as_click() -> bool:
    """Whether to show mistakes in Click's manner."""
    return os.environ.get(VARIABLE) == "click" or Path(sys.argv[0]).name.startswith("click-") or Path(sys.argv[0]).name == "click"


def expression_name() -> str:
    """The name shown as the file of a configuration given on the command line."""
    return "config" if as_click() else "<expression>"


def show(diagnostics: Iterable[Diagnostic], sources: Sources | None = None) -> None:
    """Print on standard error."""
    sys.stdout.flush()
    sys.stderr.write(render_as_click(diagnostics) if as_click() else render(diagnostics, sources))
