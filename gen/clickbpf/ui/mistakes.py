"""Mistakes in configurations as the page shows them."""

from typing import Any

from clickbpf.errors import Diagnostic


def plain(diagnostic: Diagnostic) -> dict[str, Any]:
    """The parts of a mistake; lines and columns count from 1, and columns are characters."""
    place = diagnostic.place
    return {
        "message": diagnostic.message,
        "hint": diagnostic.hint,
        "severity": diagnostic.severity,
        "file": place.file if place else None,
        "line": place.line if place else None,
        "column": place.column if place else None,
    }
