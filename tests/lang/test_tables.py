"""The parser's tables are those of the grammar."""

from __future__ import annotations

import importlib.util
from pathlib import Path

import clickbpf.lang.tables

TOOL = Path(__file__).parents[2] / "tools" / "grammar.py"


def test_the_tables_are_made_of_the_grammar():
    spec = importlib.util.spec_from_file_location("grammar", TOOL)
    tool = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(tool)
    assert Path(clickbpf.lang.tables.__file__).read_text() == tool.text(), "run tools/grammar.py"
