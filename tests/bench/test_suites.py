"""Suites of `make bench` run to their end, in small sizes, and what they find makes sense: never how fast anything is."""

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
    ("path", "path-instructions"),
    ("optimiser",),
    ("link",),
    ("native",),
    ("rules", "routes", "loads", "memory"),
    ("nat", "nat-set-up", "arp"),
    ("threads", "threads-gain"),
    ("scaling",),
    ("tcp",),
    ("tcp-echo",),
    ("health",),
    ("start-up",),
    ("forwarding",),
    ("hooks",),
    ("crossing",),
    ("one-cpu",),
    ("cpus",),
    ("rewriters",),
    ("overload",),
    ("latency", "latency-full"),
    ("added",),
    ("copies",),
)
#: Those that take long also in small sizes; what they measure with, others use too.
LEFT_TO_BENCH = (
    *("kernel", "more", "path", "optimiser", "native", "link", "rules", "threads", "scaling", "tcp", "tcp-echo", "health", "start-up"),
    *("forwarding", "hooks", "crossing", "one-cpu", "cpus", "rewriters", "overload", "latency", "added"),
)
#: Suites of differences, which may be 0 or less, but for the reference.
DIFFERENCES = ("own-work", "more", "more-instructions", "path", "path-instructions")


def run(*arguments: str) -> subprocess.CompletedProcess:
    return subprocess.run([sys.executable, str(HERE / "run.py"), *arguments], capture_output=True, text=True, check=False)


def results(folder: Path, names: tuple[str, ...]) -> list[dict]:
    found = folder / "bench.json"
    done = run("--quick", "--no-chart", "--json", str(found), "--only", *names)
    assert done.returncode == 0, done.stdout + done.stderr
    return json.loads(found.read_text())


def test_all_suites_are_here():
    listed = run("--help").stdout.partition("only these suites:")[2].partition("--quick")[0]
    assert "".join(listed.split()).split(",") == [name for group in GROUPS for name in group]


@pytest.mark.whole
@pytest.mark.needs("root", "clang-19")
@pytest.mark.parametrize("names", [group for group in GROUPS if group[0] not in LEFT_TO_BENCH], ids=lambda names: names[0])
def test_a_suite_finds_something_sane(names, tmp_path):
    found = results(tmp_path, names)
    assert [result["name"] for result in found] == list(names)
    for result in found:
        check(result)


def check(result: dict) -> None:
    values, reference = result["values"], result["reference"]
    assert len(values) > 1 and (reference in values or reference in result["curves"])
    assert result["name"] in DIFFERENCES or all(value > 0 for value in values.values()), values
    for name, (low, high) in result["spread"].items():
        assert low <= values[name] <= high
    compared = [name for _, name in result["curves"][reference]] if result["along"] else [reference]
    assert all(values[name] > 0 and result["ratios"][name] == 1 for name in compared)
    points = [name for curve in result["curves"].values() for _, name in curve]
    assert bool(result["along"]) == bool(points) and sorted(points) == (sorted(values) if points else [])


def test_what_is_not_a_suite_is_refused():
    done = run("--only", "nonsense")
    assert done.returncode == 2 and "nonsense" in done.stderr
