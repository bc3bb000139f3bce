"""Runs compilers, and asks for their versions."""

import errno
import os
import shutil
import subprocess
from collections.abc import Callable, Sequence
from functools import cache
from pathlib import Path

from clickbpf.background import Background
from clickbpf.cache import cached, content_hash
from clickbpf.errors import ClickError


def run_compiler(command: Sequence[str], what: str, given: str | None = None, background: Background | None = None) -> str:
    """Run a compiler, which is killed when this process ends; returns what it prints. Raises ClickError, that `what` failed, with the
    compiler's messages; OSError if there was no space for the result; Cancelled if `background` runs it and is cancelled."""
    environment = {**os.environ, "LC_ALL": "C"}
    line = [*_ending_with_this_process(), *command]

    def run(*more: str) -> subprocess.CompletedProcess:
        if background:
            return background.run([*line, *more], given, environment)
        return subprocess.run([*line, *more], input=given, capture_output=True, text=True, env=environment, check=False)

    done = run()
    if done.returncode and os.strerror(errno.ENOSPC) in done.stderr:
        raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))
    if done.returncode:
        # Ask again without warnings, perhaps of other files than the user's: they would hide what is wrong.
        said = run("-w").stderr if "warning: " in done.stderr else done.stderr
        raise ClickError(f"{what} failed:\n{said.strip()}")
    return done.stdout


@cache
def _ending_with_this_process() -> tuple[str, ...]:
    """Words before a command that has it killed when this process ends; none where there is no setpriv(1), or one without the option:
    util-linux has it, in newer versions."""
    program = shutil.which("setpriv")
    if not program:
        return ()
    words = (program, "--pdeathsig", "KILL", "--")
    works = subprocess.run([*words, "true"], stdin=subprocess.DEVNULL, capture_output=True, check=False).returncode == 0
    return words if works else ()


def at_once(*jobs: Callable[[], Path]) -> list[str]:
    """Run jobs that make files in parallel, one for each CPU; returns the files' names. Threads are enough, since jobs mostly wait for
    compilers."""
    from concurrent.futures import ThreadPoolExecutor  # slow to import, and seldom needed

    with ThreadPoolExecutor(len(os.sched_getaffinity(0))) as pool:
        return [str(made) for made in pool.map(lambda job: job(), jobs)]


def version_of(path: str) -> str:
    """The compiler's version text, from the cache if the program's file hasn't changed."""
    status = os.stat(path)
    seen = (str(number) for number in (status.st_dev, status.st_ino, status.st_size, status.st_mtime_ns, status.st_ctime_ns))

    def make(file: Path) -> None:
        file.write_text(run_compiler([path, "--version"], "asking a compiler for its version"))

    return cached(f"compiler-{content_hash((os.path.realpath(path), *seen))}", make).read_text()
