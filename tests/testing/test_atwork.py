"""Whether a process still has something to do, seen from outside, however busy the machine is."""

import subprocess
import sys

from tests.waiting import eventually

from clickbpf.testing.executors.atwork import at_work


def test_who_has_work_runs_or_waits_for_a_processor():
    with subprocess.Popen([sys.executable, "-c", "print(flush=True)\nwhile True: pass"], stdout=subprocess.PIPE) as working:
        assert working.stdout.readline() == b"\n"
        assert all(at_work(working.pid) for _ in range(100))
        working.kill()


def test_who_sleeps_has_none():
    with subprocess.Popen(["sleep", "600"]) as sleeping:
        assert eventually(lambda: not at_work(sleeping.pid)), "the kernel's threads may have work meanwhile"
        sleeping.kill()
    assert eventually(lambda: not at_work(sleeping.pid)) and eventually(lambda: not at_work(None))
