"""docs/cookbook.md is what tools/cookbook.py writes, and has every router of configs/."""

import re
import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).parents[2]
PAGE = ROOT / "docs" / "cookbook.md"


def test_the_page_is_as_the_tool_writes_it(tmp_path):
    program = "import sys; sys.path.insert(0, sys.argv[1]); import cookbook; sys.stdout.write(cookbook.page())"
    done = subprocess.run([sys.executable, "-c", program, ROOT / "tools"], cwd=tmp_path, capture_output=True, text=True, check=True)
    assert PAGE.read_text() == done.stdout, "python tools/cookbook.py"


def test_every_router_has_a_section_with_a_paragraph():
    sections = re.findall(r"^## \[([\w.-]+)\]\(\.\./configs/\1\)\n\n(\S.+)$", PAGE.read_text(), re.MULTILINE)
    assert [name for name, _ in sections] == sorted(path.name for path in (ROOT / "configs").glob("*.click"))
    assert all(len(words) > 20 for _, words in sections)
