"""Every C file and header says in its first lines what it is for; a class's C file stands beside the Python file that does."""

from pathlib import Path

import pytest

from clickbpf.vocabulary.library import own_elements

ROOT = own_elements().parent
FILES = sorted(path for folder in ("bpf", "userspace", "elements") for path in (ROOT / folder).rglob("*.[ch]"))


@pytest.mark.parametrize("path", FILES, ids=lambda path: str(path.relative_to(ROOT)))
def test_a_file_begins_with_what_it_is_for(path: Path):
    python = path.with_suffix(".py")
    if path.suffix == ".c" and python.exists():
        assert python.read_text().startswith('"""')
    else:
        assert path.read_text().startswith("/* ")
