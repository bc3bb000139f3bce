"""Each suite of `make bench` runs to its end, in small sizes, and what it finds makes sense: never how fast anything is."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path

import pytest

HERE = Path(__file__).parent
#: Suites, those together that measure once for both.
GROUPS = (
    ("kernel", "own-work", "instructions"),
    ("more", "more-instructions", "lines", "lines-instructions"),
    ("native",),
    ("rules", "routes", "loads", "memory"),
    ("forwarding",),
    ("hooks",),
    ("crossing",),
    ("one-cpu",),
    ("added",),
    ("copies",),
)
#: What may be 0, or by chance below, in nanoseconds.
NOTHING = ("Null", "Paint(1)", "Strip(14) -> Unstrip(14)", "nothing (taken off the others)")


def run(*arguments: str) -> subprocess.CompletedProcess:
    return subprocess.run([sys.executable, str(HERE / "run.py"), *arguments], capture_output=True, text=True, check=False)


def results(folder: Path, names: tuple[str, ...]) -> list[dict]:
    found = folder / "bench.json"
    done = run("--quick", "--no-chart", "--json", str(found), "--only", *names)
    assert done.returncode == 0, done.stdout + done.stderr
    return json.loads(found.read_text())


def test_all_suites_are_here():
    listed = run("--help").stdout.partition("only these suites:")[2].partition("--quick")[0]
    assert [name.strip() for name in listed.split(",")] == [name for group in GROUPS for name in group]


@pytest.mark.needs("root", "clang-19")
@pytest.mark.parametrize("names", GROUPS, ids=lambda names: names[0])
def test_a_suite_finds_something_sane(names, tmp_path):
    found = results(tmp_path, names)
    assert [result["name"] for result in found] == list(names)
    for result in found:
        check(result)


def check(result: dict) -> None:
    values, reference = result["values"], result["reference"]
    assert len(values) > 1 and (reference in values or reference in result["curves"])
    assert all(value > 0 for name, value in values.items() if not name.startswith(NOTHING) and result["name"] != "own-work"), values
    for name, (low, high) in result["spread"].items():
        assert low <= values[name] <= high
    compared = [name for name in values if name.partition(", ")[0] == reference] if result["along"] else [reference]
    assert all(result["ratios"][name] == 1 for name in compared if values[name])
    points = [name for curve in result["curves"].values() for _, name in curve]
    assert bool(result["along"]) == bool(points) and points == (list(values) if points else [])


def test_what_is_not_a_suite_is_refused():
    done = run("--only", "nonsense")
    assert done.returncode == 2 and "nonsense" in done.stderr
