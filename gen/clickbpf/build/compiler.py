"""Running a compiler, and asking for its version."""

import errno
import os
import shutil
import subprocess
from collections.abc import Callable, Sequence
from functools import cache
from pathlib import Path

from clickbpf.aside import Aside
from clickbpf.cache import cached, content_hash
from clickbpf.errors import ClickError


def run_compiler(command: Sequence[str], what: str, given: str | None = None, aside: Aside | None = None) -> str:
    """Run a compiler, which ends with this process at the latest; returns what it prints. ClickError, with its messages, that `what`
    failed; OSError if there was no room for the result. `aside` runs it, if that is given, and is perhaps Cancelled."""
    environment = {**os.environ, "LC_ALL": "C"}
    line = [*_ending_with_this_process(), *command]

    def run(*more: str) -> subprocess.CompletedProcess:
        if aside:
            return aside.run([*line, *more], given, environment)
        return subprocess.run([*line, *more], input=given, capture_output=True, text=True, env=environment, check=False)

    done = run()
    if done.returncode and os.strerror(errno.ENOSPC) in done.stderr:
        raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))
    if done.returncode:
        # Warnings, of other files than the user's perhaps, would be in front of what is wrong.
        said = run("-w").stderr if "warning: " in done.stderr else done.stderr
        raise ClickError(f"{what} failed:\n{said.strip()}")
    return done.stdout


@cache
def _ending_with_this_process() -> tuple[str, ...]:
    """The words before a command that has no use without this process; none without util-linux's setpriv(1): another one of that name, or
    an old one, may not have the option."""
    program = shutil.which("setpriv")
    if not program:
        return ()
    words = (program, "--pdeathsig", "KILL", "--")
    works = subprocess.run([*words, "true"], stdin=subprocess.DEVNULL, capture_output=True, check=False).returncode == 0
    return words if works else ()


def at_once(*jobs: Callable[[], Path]) -> list[str]:
    """Run jobs that make files, as many at once as there are CPUs; returns the files' names. Threads are enough, since jobs
    mostly wait for compilers."""
    from concurrent.futures import ThreadPoolExecutor  # only where something has to be compiled

    with ThreadPoolExecutor(len(os.sched_getaffinity(0))) as pool:
        return [str(made) for made in pool.map(lambda job: job(), jobs)]


def version_of(path: str) -> str:
    """What the compiler prints as its version: from the cache, unless the program's file has changed since it was last asked."""
    status = os.stat(path)
    seen = (str(number) for number in (status.st_dev, status.st_ino, status.st_size, status.st_mtime_ns, status.st_ctime_ns))

    def make(file: Path) -> None:
        file.write_text(run_compiler([path, "--version"], "asking a compiler for its version"))

    return cached(f"compiler-{content_hash((os.path.realpath(path), *seen))}", make).read_text()
