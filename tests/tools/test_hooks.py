"""The page of hooks says what the classes declare."""

from pathlib import Path

ROOT = Path(__file__).parents[2]


def test_the_table_is_what_the_classes_declare() -> None:
    scope: dict = {"__file__": str(ROOT / "tools/hooks.py"), "__name__": "hooks"}
    exec((ROOT / "tools/hooks.py").read_text(), scope)
    text = (ROOT / "docs/hooks.md").read_text()
    assert scope["page"](text) == text, "tools/hooks.py writes it"
