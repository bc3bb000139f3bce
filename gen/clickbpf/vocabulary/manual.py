"""The manual page of an element class as plain text: what `doc` prints, drawings show beside an element, and editors on hovering."""

from __future__ import annotations

import inspect

from clickbpf.vocabulary.element import Element


def manual(found: type[Element]) -> str:
    """The whole page, without a newline at its end."""
    lines = [f"{found.class_name()} – {inspect.getdoc(found) or 'no manual page'}"]
    if found.aliases:
        lines += ["", f"Other names: {', '.join(found.aliases)}"]
    if found.handlers():
        lines += ["", "Handlers:"]
    for name, handler in sorted(found.handlers().items()):
        kinds = "/".join(kind for kind, there in (("read", handler.read), ("write", handler.write)) if there)
        lines.append(f"    {name} ({kinds})" + (f"  {handler.doc.splitlines()[0]}" if handler.doc else ""))
    return "\n".join(lines)
