"""Locks on folders: who has one is reported in a line, whatever that process is called."""

import fcntl
import os
import subprocess
import sys

from clickbpf.load.files.locking import COMMAND, holder

HOLD = "import fcntl, os, sys; fcntl.flock(os.open(sys.argv[1], os.O_RDONLY), fcntl.LOCK_EX); print(flush=True); sys.stdin.read()"


def test_the_holders_command_is_one_line_without_control_characters(tmp_path):
    lock = os.open(tmp_path, os.O_RDONLY)
    command = ("\x1b[2Jin :: FromDevice(eth0)\n-> Discard;", "-c", HOLD, str(tmp_path))
    with subprocess.Popen(command, executable=sys.executable, stdin=subprocess.PIPE, stdout=subprocess.PIPE) as process:
        process.stdout.readline()
        words = holder(lock)
        process.stdin.close()
    fcntl.flock(lock, fcntl.LOCK_EX)
    os.close(lock)
    assert words.startswith(f"process {process.pid} (") and words.isprintable()
    assert len(words) == len(f"process {process.pid} ()") + COMMAND
