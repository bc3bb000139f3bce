"""How mistakes are shown: with their lines and advice, or as Click shows them, for what was written for Click's tools.

Click's manner is that of the names of Click's tools (`click`, `click-flatten`, ...), and of CLICKBPF_MESSAGES=click.
"""

from __future__ import annotations

import os
import sys
from collections.abc import Iterable
from pathlib import Path

from clickbpf.errors import Diagnostic, Sources, render, render_as_click

VARIABLE = "CLICKBPF_MESSAGES"


def as_click() -> bool:
    """Whether Click's manner is asked for."""
    return os.environ.get(VARIABLE) == "click" or Path(sys.argv[0]).name.startswith("click-") or Path(sys.argv[0]).name == "click"


def expression_name() -> str:
    """The name shown as the file of a configuration given on the command line."""
    return "config" if as_click() else "<expression>"


def show(diagnostics: Iterable[Diagnostic], sources: Sources | None = None) -> None:
    """On standard error."""
    sys.stdout.flush()
    sys.stderr.write(render_as_click(diagnostics) if as_click() else render(diagnostics, sources))
