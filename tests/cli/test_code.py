"""Whether a loaded router's code is optimised: what `list`, `top` and `metrics` show while a compiler works, and after it has failed."""

import json
import os
import shutil
import uuid
from pathlib import Path

import pytest
from tests.waiting import eventually

from clickbpf.build.host import FLAGS_VARIABLE

from .conftest import OWN, execute

pytestmark = pytest.mark.needs("root", "ip", "clang-19")

#: A compiler that waits before it optimises a router for the runtime, until there is a file that says what is to become of it.
WAITS = """#!/bin/sh
case "$*" in
*-O0*|*"-target bpf"*) ;;
*"-x c -"*)
	until [ -e {word} ]; do sleep 0.05; done
	[ "$(cat {word})" = work ] || {{ echo no room >&2; exit 1; }} ;;
esac
exec {compiler} "$@"
"""


@pytest.fixture
def compiler(tmp_path, monkeypatch) -> Path:
    """The file that has it go on."""
    file, word = tmp_path / "clang-19", tmp_path / "word"
    file.write_text(WAITS.format(word=word, compiler=shutil.which("clang-19")))
    file.chmod(0o755)
    monkeypatch.setenv("PATH", f"{tmp_path}:{os.environ['PATH']}")
    monkeypatch.setenv(FLAGS_VARIABLE, "")
    return word


def shown() -> tuple[str, str, str, bool]:
    """By `list` for people and for programs, by `top`, and whether `metrics` agrees."""
    (line,) = [line.split("  ") for line in execute(None, "list").out.splitlines() if line.startswith(OWN)]
    (listed,) = [each for each in json.loads(execute(None, "list", "--json").out) if each["name"] == OWN]
    head = execute(None, "top", OWN, "--once", "-d", "0.1").out.partition(", up")[0]
    code = json.loads(execute(None, "top", OWN, "--once", "--json", "-d", "0.1").out)["code"]
    metrics = execute(None, "metrics", OWN).out.splitlines()
    says = f'clickbpf_code{{clickbpf_code="{code}",router="{OWN}"}} 1.0' in metrics
    return next(filter(None, (part.strip() for part in line[1:]))), listed["code"], head, says and listed["code"] == code


@pytest.mark.whole
@pytest.mark.parametrize("word, code", [("work", "optimised"), ("fail", "unoptimised")])
def test_the_code_of_a_router_that_nobody_has_compiled(router, compiler, word, code):
    text = f"x{uuid.uuid4().hex} :: TimedSource(0.01) -> Discard; Idle -> ToDevice(eth0)"
    done = execute(router, "load", "-n", OWN, "-e", text)
    assert done.status == 0, done.err
    assert shown() == ("running, optimising", "optimising", f"{OWN}: running, optimising", True)
    written = compiler.with_name("written")
    written.write_text(word)
    written.rename(compiler)
    state = "running" if word == "work" else f"running, {code}"
    assert eventually(lambda: shown() == (state, code, f"{OWN}: {state}", True))
    assert ("no room" in execute(None, "log", OWN).out) == (word == "fail")
