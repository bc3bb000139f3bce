"""Writes docs/cookbook.md: the routers of configs/ with what their own first lines say.

    python tools/cookbook.py
"""

import re
import textwrap
from pathlib import Path

from clickbpf.compile import Compilation, check_file
from clickbpf.vocabulary.library import Library

ROOT = Path(__file__).parent.parent
PAGE, CONFIGS = ROOT / "docs" / "cookbook.md", ROOT / "configs"
HEAD = """# Cookbook

<!-- written by tools/cookbook.py from the files themselves -->

Each of these is a file in [configs/](../configs) that can be run as it is. `clickbpf try FILE` puts hosts on its devices and starts a
shell, `clickbpf pretty --svg FILE` draws it, and `clickbpf plan FILE` shows where each of its elements runs. The routers of the
Click papers have [a page of their own](../configs/papers/README.md).
"""


def page() -> str:
    library = Library.standard()
    return HEAD + "".join(f"\n{recipe(path, library)}" for path in sorted(CONFIGS.glob("*.click")))


def recipe(path: Path, library: Library) -> str:
    """A router's section: its title, its first paragraph, how it is run, and its devices."""
    title, *paragraphs = comment(path.read_text())
    prose = next((text for text in paragraphs if not text.startswith("    ")), None)
    command = next((code(text) for text in paragraphs if text.lstrip().startswith("clickbpf ")), None)
    about = title.partition(": ")[2]
    parts = (f"## [{path.name}](../configs/{path.name})", about[0].upper() + about[1:], prose, command, devices(path, library))
    return "\n\n".join(part for part in parts if part) + "\n"


def code(text: str) -> str:
    """An indented paragraph as a block of commands."""
    return f"<!-- not run: devices of your own -->\n\n```sh\n{textwrap.dedent(text)}\n```"


def comment(text: str) -> list[str]:
    """The paragraphs of the comment that a file begins with, without their slashes; blocks of commands are indented."""
    lines = re.match(r"(?://.*\n)+", text)
    plain = re.sub(r"^// ?", "", lines[0] if lines else "", flags=re.MULTILINE)
    plain = re.sub(r"(?<=[.:!?])  (?=\S)", " ", plain)
    return [part.strip("\n") for part in plain.split("\n\n")]


def devices(path: Path, library: Library) -> str:
    """What `clickbpf plan` says of elements changes with the classes, and isn't written down here."""
    found = Compilation(check_file(path, library)).devices
    return f"Devices: {', '.join(found)}." if found else "No devices."


if __name__ == "__main__":
    PAGE.write_text(page())
