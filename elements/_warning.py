"""Doubts about a configuration that are no mistakes: told on standard error when the element is configured."""

from __future__ import annotations

import sys

from clickbpf.element import Element
from clickbpf.errors import Diagnostic, render


def warn(element: Element, text: str, severity: str = "warning") -> None:
    """Show a text with the element's place in the configuration, and its line."""
    router = element.context.router
    place = router.element(element.name).place if router else None
    sys.stderr.write(render([Diagnostic(place, text, None, severity)], router.sources if router else None))
