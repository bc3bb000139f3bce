"""Every C file and header says in its first lines what it is for, or stands beside the Python file whose class does."""

import re
from pathlib import Path

from clickbpf.vocabulary.library import own_elements

ROOT = own_elements().parent
FILES = sorted(path for folder in ("bpf", "userspace", "elements") for path in (ROOT / folder).rglob("*.[ch]"))
#: Where a class's manual page begins.
MANUAL = re.compile(r'^class \w+.*:\n    ("""\w|__doc__ = )', re.MULTILINE)


def test_a_file_begins_with_what_it_is_for():
    assert [str(path.relative_to(ROOT)) for path in FILES if not has_heading(path)] == []


def has_heading(path: Path) -> bool:
    python = path.with_suffix(".py")
    by_its_class = path.suffix == ".c" and python.exists() and MANUAL.search(python.read_text())
    return bool(by_its_class) or path.read_text().startswith("/* ")


def test_a_header_of_elements_is_included_once_or_is_a_template():
    """Templates of an instance, included once for each, end in .inc.h and have no guards."""
    headers = sorted(own_elements().rglob("*.h"))
    assert [str(path.relative_to(ROOT)) for path in headers if is_guarded(path) == path.name.endswith(".inc.h")] == []


def is_guarded(path: Path) -> bool:
    text = re.sub(r"/\*.*?\*/", "", path.read_text(), flags=re.DOTALL)
    return text.lstrip().startswith("#pragma once\n")
