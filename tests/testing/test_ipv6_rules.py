"""docs/ipv6.md: each rule names a test, or a row of a file's TRIALS, and there is such a one."""

import ast
import re
from functools import cache
from pathlib import Path

ROOT = Path(__file__).parents[2]
ROW = re.compile(r"^\| (\d{4}, [\d.]+(?: \w)?) \| (.+) \| (\S+)::(\w+(?: \([\w ]+\))?) \|$", re.MULTILINE)
TEXT = (ROOT / "docs" / "ipv6.md").read_text()


@cache
def names_in(path: str) -> set[str]:
    body = ast.parse((ROOT / path).read_text()).body
    tables = [node.value for node in body if isinstance(node, ast.Assign) and ast.unparse(node.targets) == "TRIALS"]
    rows = {f"test_trials ({ast.literal_eval(key)})" for table in tables for key in table.keys}
    return rows | {node.name for node in body if isinstance(node, ast.FunctionDef) and node.name.startswith("test_")}


def test_each_rule_has_a_test_that_exists():
    rows = ROW.findall(TEXT)
    lines = sum(line.startswith("| ") for line in TEXT.splitlines())
    assert len(rows) == lines - TEXT.count("| RFC | rule |") > 30, "every row but the headings is a rule"
    assert [f"{path}::{test}" for _, _, path, test in rows if test not in names_in(path)] == []


def test_each_protocol_has_rules():
    rfcs = {"8200", "5095", "4291", "4007", "4443", "4861", "7915", "7757", "6146", "6052", "6092", "7084", "4890", "4541", "3810"}
    assert {rfc.partition(",")[0] for rfc, *_ in ROW.findall(TEXT)} == rfcs
