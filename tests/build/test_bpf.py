"""The compiler of the kernel path: what is done about its failures."""

import pytest

from clickbpf.build import bpf
from clickbpf.errors import ClickError

#: It crashes unless a pass is left out, but after it has found mistakes.
CLANG = """#!/bin/sh
for file; do [ -f "$file" ] && break; done
echo "$@" >>"$0.calls"
grep -q wrong "$file" && echo "a.c:1:2: error: wrong" >&2 && exit 1
case "$*" in *-disable-bpf-peephole*) echo made; exit 0;; esac
echo "clang: error: clang frontend command failed with exit code 139 (use -v to see invocation)" >&2
exit 1
"""


@pytest.fixture
def calls(tmp_path, monkeypatch):
    """A clang that crashes in the place of the real one; what it has been called with."""
    path = tmp_path / "clang"
    path.write_text(CLANG)
    path.chmod(0o755)
    monkeypatch.setenv("CLICKBPF_CACHE", str(tmp_path / "cache"))
    monkeypatch.setattr(bpf, "find_clang", lambda: (str(path), "clang 0"))
    return lambda: path.with_suffix(".calls").read_text().splitlines()


def test_a_clang_that_crashes_is_run_again_without_the_pass(calls):
    assert bpf.preprocess("int right;").strip() == "made"
    first, second = calls()
    assert second.startswith(first) and "-disable-bpf-peephole" not in first
    assert bpf.preprocess("int right;").strip() == "made" and len(calls()) == 2, "it is in the cache"


def test_a_mistake_is_reported_at_once(calls):
    with pytest.raises(ClickError, match="error: wrong"):
        bpf.preprocess("int wrong;")
    assert len(calls()) == 1


def test_the_environment_has_more_flags(calls, monkeypatch):
    monkeypatch.setenv(bpf.FLAGS_VARIABLE, "-DA '-DB=two words'")
    bpf.preprocess("int right;")
    assert "-DA -DB=two words" in calls()[0]
