"""The page about operating says what the classes declare to hold."""

from pathlib import Path

ROOT = Path(__file__).parents[2]


def test_the_table_is_what_the_classes_declare() -> None:
    scope: dict = {"__file__": str(ROOT / "tools/states.py"), "__name__": "states"}
    exec((ROOT / "tools/states.py").read_text(), scope)
    text = (ROOT / "docs/operating.md").read_text()
    assert scope["page"](text) == text, "tools/states.py writes it"
