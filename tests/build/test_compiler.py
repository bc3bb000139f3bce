"""Running a compiler."""

import os

import pytest

from clickbpf.build import compiler


@pytest.fixture
def words():
    """What is known of this machine's setpriv is asked anew, also by the tests after this one."""
    compiler._ending_with_this_process.cache_clear()
    yield compiler._ending_with_this_process
    compiler._ending_with_this_process.cache_clear()


def test_another_setpriv_is_done_without(tmp_path, monkeypatch, words):
    """That of BusyBox has no --pdeathsig."""
    other = tmp_path / "setpriv"
    other.write_text("#!/bin/sh\necho 'unrecognized option' >&2\nexit 1\n")
    other.chmod(0o755)
    monkeypatch.setenv("PATH", f"{tmp_path}:{os.environ['PATH']}")
    assert compiler.run_compiler(["echo", "compiled"], "compiling") == "compiled\n"
    assert words() == ()


@pytest.mark.needs("setpriv")
def test_that_of_util_linux_is_used(words):
    assert compiler.run_compiler(["echo", "compiled"], "compiling") == "compiled\n"
    assert words()[1:] == ("--pdeathsig", "KILL", "--")
