"""The make targets that the README names exist. (tests/docs does what the README says, and follows its links.)"""

import re
from pathlib import Path

ROOT = Path(__file__).parents[2]
README = (ROOT / "README.md").read_text()


def test_make_targets_exist():
    targets = set(re.findall(r"\bmake ([a-z-]+)\b", README))
    assert {"demo", "test", "deps"} <= targets
    known = set(re.findall(r"^([a-z-]+):", (ROOT / "Makefile").read_text(), re.MULTILINE))
    assert targets <= known
