"""QuitWatcher and ChangeUID."""

import os
import subprocess
import sys

import pytest
from tests.elements.running import running

from clickbpf.compile import check_text
from clickbpf.errors import ClickError
from clickbpf.vocabulary.library import Library

COMMAND = [sys.executable, "-m", "clickbpf.cli.main", "run"]


def run(text: str) -> subprocess.CompletedProcess:
    return subprocess.run([*COMMAND, "-e", text, "-h", "s.count"], capture_output=True, text=True, timeout=30)


def test_it_ends_when_one_is_done():
    done = run("s :: InfiniteSource(LIMIT 5) -> Discard; InfiniteSource -> Queue -> o :: Discard; QuitWatcher(o, s);")
    assert (done.returncode, done.stdout.strip()) == (0, "5")


def test_an_element_without_task():
    runtime = running("Idle -> c :: Counter -> Discard; QuitWatcher(c)")
    with pytest.raises(ClickError, match=r"no 'c\.scheduled' read handler"):
        runtime.initialise()
    runtime.close()


@pytest.mark.needs("root")
def test_privileges_are_given_up():
    """As a set-uid program has them: the effective user is root, the real one is not."""
    element = check_text("u :: ChangeUID", Library.standard()).instances["u"]
    reader, writer = os.pipe()
    if os.fork() == 0:
        os.setresgid(65534, 0, 0)
        os.setresuid(65534, 0, 0)
        element.started()
        os.write(writer, repr((os.getresuid(), os.getresgid())).encode())
        os._exit(0)
    os.wait()
    assert os.read(reader, 100).decode() == repr(((65534,) * 3,) * 2)
    os.close(reader)
    os.close(writer)
