"""configs/papers/README.md has all routers there, and names tests and suites of measurements that there are."""

import re
from pathlib import Path

from tests.bench.suites import SUITES
from tests.configs.traffic import PAPERS

ROOT = Path(__file__).parents[2]
TEXT = (PAPERS / "README.md").read_text()
#: The cells under "where".
WHERE = " ".join(row.split("|")[4] for row in TEXT.splitlines() if row.startswith("|"))


def test_each_router_has_a_row():
    assert {path.name for path in PAPERS.glob("*.click")} <= set(re.findall(r"\((.*?)\)", TEXT))


def test_where_claims_are_tested_and_measured():
    files = re.findall(r"[\w/]+\.py", WHERE)
    assert files and not [name for name in files if not (ROOT / (name if "/" in name else f"tests/configs/{name}")).exists()]
    assert set(re.findall(r"`(.*?)`", WHERE)) <= {suite.name for suite in SUITES}
