"""Writes the table of what elements hold, and what becomes of it, into docs/operating.md, from what the classes declare.

    python tools/states.py
"""

from collections import defaultdict
from pathlib import Path

from clickbpf.vocabulary.held import Held
from clickbpf.vocabulary.library import Library

PAGE = Path(__file__).parent.parent / "docs/operating.md"
BEGIN, END = "<!-- written by tools/states.py -->\n", "<!-- until here -->\n"


def table() -> str:
    library = Library.standard()
    holders: dict[Held, list[str]] = defaultdict(list)
    for name in library.names():
        class_ = library.find(name)
        for held in class_.holds or () if class_.class_name() == name else ():
            holders[held].append(name)
    rows = sorted((held.what, ", ".join(sorted(names)), held.swap, held.death) for held, names in holders.items())
    return "| held | by | hot swap | death of the runtime |\n|---|---|---|---|\n" + "".join(f"| {' | '.join(row)} |\n" for row in rows)


def page(text: str) -> str:
    """The page with the table in the place of the one that it has."""
    before, _, rest = text.partition(BEGIN)
    _, _, after = rest.partition(END)
    return f"{before}{BEGIN}{table()}{END}{after}"


if __name__ == "__main__":
    PAGE.write_text(page(PAGE.read_text()))
