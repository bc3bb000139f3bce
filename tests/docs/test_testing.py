"""What docs/testing.md says about failures of its worked example, and about executors (tests/docs runs the page as it stands)."""

import importlib.metadata
import os
import re
import subprocess
import sys
from pathlib import Path

import pytest
from tests.docs.markdown import blocks

MANUAL = Path(__file__).parents[2] / "docs" / "testing.md"


@pytest.fixture
def example(tmp_path):
    for block in blocks(MANUAL.read_text()):
        if block.file in ("border.click", "test_border.py"):
            (tmp_path / block.file).write_text(block.text)
    return tmp_path


def run(folder: Path, *arguments: str) -> subprocess.CompletedProcess:
    """pytest in a process of its own, as a user runs it."""
    installed = any(e.name == "clickbpf" for e in importlib.metadata.entry_points(group="pytest11"))
    plugin = () if installed else ("-p", "clickbpf.testing.plugin")
    environment = {**os.environ, "PYTHONPATH": os.pathsep.join(filter(None, sys.path))}
    command = [sys.executable, "-m", "pytest", "-q", "-p", "no:cacheprovider", *plugin, *arguments]
    return subprocess.run(command, cwd=folder, env=environment, capture_output=True, text=True, timeout=120)


def test_a_wrong_router_fails_as_shown(example):
    """With the checksum of a TTL of 64 the manual's difference appears: that field alone, with these two values."""
    configuration = example / "border.click"
    spoil = "StoreData(10, \\<aec5>)"
    configuration.write_text(configuration.read_text().replace("-> Unstrip(14)", f"-> {spoil} -> Unstrip(14)"))
    done = run(example, "--executor", "native", "-k", "web_traffic")
    rows = {" ".join(line.split()[-5:]) for line in done.stdout.splitlines() if line.endswith("<-")}
    assert {row.removeprefix("E ") for row in rows} == {"IP chksum 0xafc5 0xaec5 <-"}, done.stdout


def test_a_mistake_in_the_configuration_is_shown_with_its_place(example):
    configuration = example / "border.click"
    configuration.write_text(configuration.read_text().replace("DecIPTTL", "DecIPTLL"))
    done = run(example, "--executor", "native")
    assert "border.click:8:" in done.stdout and "DecIPTTL" in done.stdout, done.stdout
    assert "Traceback" not in done.stdout


def test_an_unknown_executor_is_an_error(example):
    done = run(example, "--executor", "native,nativ")
    assert done.returncode == pytest.ExitCode.USAGE_ERROR
    assert "no executor 'nativ'; there are native, bpf, frags, tc, live" in done.stderr


@pytest.mark.whole
def test_executors_of_a_marker_only(example):
    (example / "test_one.py").write_text(
        "import pytest\n"
        "@pytest.mark.executors('native')\n"
        "def test_here(router, executor):\n"
        "    assert executor == 'native'\n"
    )
    done = run(example, "test_one.py")
    assert re.search(r"^1 passed", done.stdout, re.MULTILINE), done.stdout


@pytest.mark.whole
def test_what_cannot_run_is_skipped_and_counted_unless_asked_for(example):
    """Without privilege the tests on bpf are skipped and say why; asked for by name they are an error."""
    (example / "conftest.py").write_text(
        "from clickbpf.testing.executors import bpf\n"
        "bpf.Bpf.unavailable = classmethod(lambda cls: 'no privilege')\n"
    )
    done = run(example, "-rs")
    assert "3 passed, 3 skipped" in done.stdout, done.stdout
    assert "executor bpf: no privilege" in done.stdout
