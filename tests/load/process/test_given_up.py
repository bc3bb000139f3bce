"""A runtime that is given up while it starts, and a compiler whose caller has died: nothing of them runs on."""

import os
import subprocess
import sys
from pathlib import Path

import pytest
from tests.cli.conftest import environment, kill
from tests.waiting import eventually

from clickbpf.errors import ClickError
from clickbpf.load.files.places import RunFolder
from clickbpf.load.files.process import Process
from clickbpf.load.process import service

#: What the runtime does while it waits for a compiler: a background process with a child, and no answer.
HANGS = """#!/bin/sh
(sleep 1000 & echo $! >{child}.new; mv {child}.new {child}; wait) &
"""
COMPILES = "import sys; from clickbpf.build.compiler import run_compiler; run_compiler(['sh', '-c', sys.argv[1]], 'compiling')"


def process_of(file: Path) -> Process:
    """The process that has written its id there."""
    assert eventually(file.exists)
    return Process.of(int(file.read_text()))


@pytest.mark.parametrize("given_up", [None, KeyboardInterrupt], ids=["late", "interrupted"])
def test_a_runtime_that_does_not_answer_is_ended_with_its_children(tmp_path, monkeypatch, given_up):
    child, python = tmp_path / "child", tmp_path / "python"
    python.write_text(HANGS.format(child=child))
    python.chmod(0o755)
    running: list[Process] = []

    def readable(descriptors: list[int], seconds: float) -> list[int]:
        """Time is over as soon as there is something to end."""
        running.append(process_of(child))
        assert running[0].runs()
        if given_up:
            raise given_up
        return []

    monkeypatch.setattr(service.sys, "executable", str(python))
    monkeypatch.setattr(service, "readable", readable)
    monkeypatch.setattr(service.bpffs, "root", lambda: tmp_path)
    with pytest.raises(given_up or ClickError):
        service.start(RunFolder(tmp_path))
    assert running and eventually(lambda: not running[0].runs())


def test_a_runtime_that_no_process_can_be_made_for_leaves_no_descriptor(tmp_path, monkeypatch):
    monkeypatch.setattr(service.sys, "executable", str(tmp_path / "none"))
    monkeypatch.setattr(service.bpffs, "root", lambda: tmp_path)
    before = os.listdir("/proc/self/fd")
    with pytest.raises(ClickError, match="the runtime can't be started: .*No such file or directory"):
        service.start(RunFolder(tmp_path))
    assert os.listdir("/proc/self/fd") == before


#: Starts a runtime in a folder where there is room for its log only.
FULL = """
import sys
from pathlib import Path
from clickbpf.errors import ClickError
from clickbpf.load.files.places import RunFolder
from clickbpf.load.process import service

service.bpffs.root = lambda: Path(sys.argv[1])
try:
    service.start(RunFolder(Path(sys.argv[1])))
except ClickError as error:
    print(error)
"""


@pytest.mark.needs("root", "unshare")
def test_a_runtime_that_has_no_room_for_its_files_says_so(tmp_path):
    mount = 'mount -t tmpfs -o nr_inodes=2 tmpfs "$2" && exec "$0" -c "$1" "$2"'
    line = ["unshare", "--mount", "sh", "-c", mount, sys.executable, FULL, str(tmp_path)]
    done = subprocess.run(line, capture_output=True, text=True, env=environment(), timeout=120)
    assert "the runtime can't be started: no space is left" in done.stdout, done.stderr
    assert "Traceback" not in done.stdout + done.stderr


@pytest.mark.needs("setpriv")
def test_a_compiler_ends_with_the_process_that_waits_for_it(tmp_path):
    script = f"echo $$ >{tmp_path}/new; mv {tmp_path}/new {tmp_path}/child; exec sleep 1000"
    caller = subprocess.Popen([sys.executable, "-c", COMPILES, script], env=environment())
    compiler = process_of(tmp_path / "child")
    assert compiler.runs()
    kill(caller.pid)
    caller.wait()
    assert eventually(lambda: not compiler.runs())
