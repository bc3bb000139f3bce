"""Warnings about a configuration, on standard error when the element is configured."""

from clickbpf.errors import Diagnostic
from clickbpf.messages import show
from clickbpf.declare import Element


def warn(element: Element, text: str, severity: str = "warning") -> None:
    """Print a text with the element's place in the configuration."""
    router = element.context.router
    place = router.element(element.name).place if router else None
    prefix = "warning: " if severity == "warning" else ""
    said = Diagnostic(place, f"While configuring '{element.name} :: {element.class_name()}':\n  {prefix}{text}")
    show([Diagnostic(place, text, None, severity, (said,))], router.sources if router else None)
