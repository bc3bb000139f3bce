"""Processes are believed by their number and the time at which they began: the number alone is soon another process's."""

import os
import signal
import subprocess
from collections.abc import Iterator
from contextlib import ExitStack

import pytest
from tests.waiting import eventually

from clickbpf.load.files.places import RunFolder
from clickbpf.load.files.process import Process
from clickbpf.load.process import service


@pytest.fixture
def child() -> Iterator[subprocess.Popen]:
    with subprocess.Popen(["sleep", "600"]) as process:
        yield process
        process.kill()


def test_a_process_that_has_the_number_of_one_that_is_gone(child, tmp_path):
    """It isn't taken for the other one, and nothing is done to it."""
    real = Process.of(child.pid)
    gone = Process(child.pid, real.start - 1)
    assert (real.runs(), gone.runs()) == (True, False)
    assert real.usage() is not None and gone.usage() is None
    assert (real.parent(), gone.parent()) == (Process.here().pid, 0)
    folder = RunFolder(tmp_path)
    folder.pid.write_text(f"{gone}\n")
    assert (service.alive(folder), service.main_process(folder), service.uptime(folder), service.usage(folder)) == (None, 0, None, None)
    service.stop(folder)
    assert real.runs()
    folder.pid.write_text(f"{real}\n")
    assert service.alive(folder) == child.pid


def test_a_process_that_nobody_has_waited_for(child):
    """It has a number still, but doesn't run."""
    real = Process.of(child.pid)
    child.kill()
    assert eventually(lambda: not real.runs())
    assert Process.of(child.pid) == real


def test_a_process_that_was_just_killed():
    """It has yet to end, which takes a large one on a busy machine a while."""
    with ExitStack() as opened:
        children = [opened.enter_context(subprocess.Popen(["sleep", "600"])) for _ in range(20)]
        processes = [Process.of(child.pid) for child in children]
        assert all(process.runs() for process in processes)

        def runs_when_killed(process):
            os.kill(process.pid, signal.SIGKILL)
            return process.runs()

        assert not any([runs_when_killed(process) for process in processes])


@pytest.mark.parametrize("text", ["", "12", "12 x", "1 2 3", "99999999999999999999 1"])
def test_what_names_no_process(tmp_path, text):
    assert Process.in_file(tmp_path / "pid") is None
    (tmp_path / "pid").write_text(text)
    assert service.alive(RunFolder(tmp_path)) is None
