"""The pages that people write: where each is in the tree, and in the manual."""

from pathlib import Path

ROOT = Path(__file__).parents[2]

#: Texts outside docs/: file -> page.
ELSEWHERE = {
    "README.md": "index.md",
    "ARCHITECTURE.md": "architecture.md",
    "configs/papers/README.md": "papers.md",
    "tools/editors/README.md": "editors.md",
}
#: Folders that texts link to: folder -> the page that lists what is in it.
FOLDERS = {"configs": "cookbook.md", "configs/papers": "papers.md", "elements": "elements/index.md"}


def written() -> dict[str, str]:
    """All of them: file -> page, both as paths from their roots."""
    return ELSEWHERE | {f"docs/{path.name}": path.name for path in sorted((ROOT / "docs").glob("*.md"))}


def fenced(text: str, language: str) -> str:
    """A text as a block of code, whatever is in it."""
    fence = "```"
    while fence in text:
        fence += "`"
    return f"{fence}{language}\n{text.rstrip()}\n{fence}\n"
