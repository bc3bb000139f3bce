"""Makes the folder of a new project: a router, its tests, a README and a Makefile."""

import re
import shutil
from pathlib import Path

from clickbpf.errors import ClickError

#: The initial files of a project; @NAME@ stands for its name.
STARTING = Path(__file__).with_name("starting")
FILES = ("router.click", "test_router.py", "README.md", "Makefile")


def start_project(path: str) -> Path:
    """Make the folder; ClickError if it exists or can't be made. A partly filled folder is then removed."""
    folder = Path(path)
    if not re.fullmatch(r"[A-Za-z0-9_][A-Za-z0-9_.-]*", folder.name):
        raise ClickError(f"'{path}' can't be a project's name", hint="letters, digits, '_', '-' and '.'")
    try:
        folder.mkdir()
    except FileExistsError:
        raise ClickError(f"'{path}' exists already", hint="give another name; nothing was changed") from None
    except OSError as error:
        raise ClickError(f"'{path}' can't be made: {error.strerror}") from None
    try:
        for name in FILES:
            text = (STARTING / name).read_text(encoding="utf-8")
            (folder / name).write_text(text.replace("@NAME@", folder.name), encoding="utf-8")
    except OSError as error:
        shutil.rmtree(folder, ignore_errors=True)
        raise ClickError(f"'{path}' can't be filled: {error.strerror}") from None
    return folder
