"""Writes the table of handlers that need a right into docs/security.md, from what the classes declare.

    python tools/security.py
"""

from collections.abc import Iterator
from pathlib import Path

from clickbpf.vocabulary.library import Library
from clickbpf.vocabulary.rights import Right

PAGE = Path(__file__).parent.parent / "docs/security.md"
BEGIN, END = "<!-- written by tools/security.py -->\n", "<!-- until here -->\n"
#: Handlers of the router itself.
OWN = (("hotconfig", "write", Right.CONFIGURE),)


def table() -> str:
    rows = "".join(f"| `{name}` | {way} | {right.name} | {right.value} |\n" for name, way, right in sorted(handlers(), key=str))
    return f"| handler | | right | what it does |\n|---|---|---|---|\n{rows}"


def handlers() -> Iterator[tuple[str, str, Right]]:
    """The handlers that need a right: name, way, right."""
    yield from OWN
    library = Library.standard()
    for class_ in {library.find(name) for name in library.names()}:
        for handler in class_.handlers().values():
            for way in ("read", "write"):
                right = getattr(handler, f"{way}_needs")
                if right and getattr(handler, way):
                    yield f"{class_.class_name()}.{handler.name}", way, right


def page(text: str) -> str:
    """The page with the table in the place of the one that it has."""
    before, _, rest = text.partition(BEGIN)
    _, _, after = rest.partition(END)
    return f"{before}{BEGIN}{table()}{END}{after}"


if __name__ == "__main__":
    PAGE.write_text(page(PAGE.read_text()))
