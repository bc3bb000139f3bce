"""What the README shows: its files work, its links lead somewhere, its make targets exist."""

from __future__ import annotations

import re
import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).parents[2]
README = (ROOT / "README.md").read_text()


def files() -> dict[str, str]:
    """The fenced blocks that begin with a comment that is a path: path -> text."""
    blocks = re.findall(r"^```\w+\n((?:# |/\* )(\S+\.\w+).*?)^```", README, re.MULTILINE | re.DOTALL)
    return {path: text for text, path in blocks}


def test_the_element_of_the_readme_passes_its_test_on_both_executors(tmp_path):
    shown = files()
    assert {Path(path).suffix for path in shown} == {".py", ".c"}
    for path, text in shown.items():
        file = tmp_path / path
        file.parent.mkdir(exist_ok=True)
        file.write_text(text)
    (test,) = tmp_path.rglob("test_*.py")
    done = subprocess.run(
        [sys.executable, "-m", "pytest", "-q", "-p", "no:cacheprovider", f"--rootdir={tmp_path}", test],
        cwd=tmp_path, capture_output=True, text=True, timeout=120,
    )
    assert done.returncode == 0, done.stdout + done.stderr
    assert re.search(r"\b(\d+) passed", done.stdout)


def test_links_lead_somewhere():
    links = re.findall(r"\]\((?!https?:)([^)#]+)", README)
    assert links
    assert [link for link in links if not (ROOT / link).exists()] == []


def test_make_targets_exist():
    targets = set(re.findall(r"\bmake ([a-z]+)\b", README))
    assert {"demo", "test", "deps"} <= targets
    known = set(re.findall(r"^([a-z]+):", (ROOT / "Makefile").read_text(), re.MULTILINE))
    assert targets <= known
