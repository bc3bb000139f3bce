"""Running a compiler."""

from __future__ import annotations

import errno
import os
import subprocess
from collections.abc import Sequence

from clickbpf.errors import ClickError


def run_compiler(command: Sequence[str], what: str, given: str | None = None) -> str:
    """What it prints. ClickError with its messages if `what` can't be compiled; OSError where there was no room for the result."""
    environment = {**os.environ, "LC_ALL": "C"}
    done = subprocess.run(command, input=given, capture_output=True, text=True, env=environment, check=False)
    if done.returncode and os.strerror(errno.ENOSPC) in done.stderr:
        raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))
    if done.returncode:
        raise ClickError(f"compiling {what} failed:\n{done.stderr.strip()}")
    return done.stdout
