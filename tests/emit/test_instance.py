"""The macros of a class's C file end with it, so a header that others read as well has none of the same name."""

from __future__ import annotations

import re
from pathlib import Path

from clickbpf.library import own_elements


def macros(path: Path) -> set[str]:
    return set(re.findall(r"^#define (\w+)", path.read_text(), re.MULTILINE))


def test_no_class_defines_a_macro_of_a_header():
    headers = set().union(*map(macros, own_elements().rglob("*.h")))
    assert {"NS_PER_SECOND", "GAP_SHIFT"} <= headers
    assert {str(path): taken for path in own_elements().rglob("*.c") if (taken := macros(path) & headers)} == {}
