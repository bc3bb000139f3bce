"""Writes the manual's pages and drawings into a folder.

    python -m tools.manual build/manual
"""

import shutil
import sys
from pathlib import Path

from . import commands, elements, routers
from .links import relinked, standing
from .pages import ROOT, fenced, written

ASSETS = Path(__file__).parent / "assets"


class Manual:
    """The files of the manual, by their paths in it; files that pages link to are added as they are met."""

    def __init__(self) -> None:
        self.pages = written() | routers.pages()
        self.files: dict[str, str | bytes] = {}

    def make(self) -> dict[str, str | bytes]:
        self.files |= dict(elements.reference())
        self.files["commands.md"] = commands.page()
        self.files["differences.md"] = elements.differences()
        self.files |= dict(routers.routers())
        for file, page in written().items():
            text = elements.linked(relinked((ROOT / file).read_text(), file, page, self.place), page)
            self.files[page], drawings = routers.illustrated(text, page)
            self.files |= drawings
        self.files["cookbook.md"] = routers.with_pictures(self.files["cookbook.md"])
        for asset in ASSETS.iterdir():
            self.files[f"assets/{asset.name}"] = asset.read_text()
        return self.files

    def place(self, path: str) -> str | None:
        """Where the manual shows a file of the tree."""
        found = standing(path, self.pages)
        if found or not (ROOT / path).is_file():
            return found
        if path.endswith((".svg", ".png")):
            self.files.setdefault(f"pictures/{Path(path).name}", (ROOT / path).read_bytes())
            return f"pictures/{Path(path).name}"
        self.files.setdefault(f"source/{path}.md", f"# {path}\n\n{fenced((ROOT / path).read_text(), Path(path).suffix[1:])}")
        return f"source/{path}.md"


def main(folder: Path) -> None:
    shutil.rmtree(folder, ignore_errors=True)
    for name, content in Manual().make().items():
        path = folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(content if isinstance(content, bytes) else content.encode())


if __name__ == "__main__":
    main(Path(sys.argv[1]))
