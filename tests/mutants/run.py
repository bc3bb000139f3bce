"""Which mutants the tests see: `python -m tests.mutants.run [WORD ...]`, for those with one of the words in their name or file.

Each is made in a scratch copy of the tree and its own tests are run there, two mutants at a time. First these tests are run on
the tree as it is: they have to pass. A mutant that doesn't compile is a mistake of the table, as is a reason to survive for one
that doesn't. Exit status 0 means that all without such a reason are seen.
"""

import ast
import os
import shlex
import shutil
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from queue import Queue

from tests.mutants.mutants import ROOT, Mutant, mutants

AT_ONCE = 2
#: Tests that took n seconds have been stopped by a mutant after n times this, and these seconds more.
SLOWER, SLACK = 5, 60
#: How the refusal of a C compiler begins (clickbpf.build.compiler).
UNCOMPILED = ("compiling the router failed", "compiling the kernel path failed")


@dataclass(frozen=True)
class Found:
    """What became of a mutant, in a word, and whether that is as it should be."""

    mutant: Mutant
    what: str
    good: bool
    seconds: float


class Copies:
    """Copies of the tree, one for each mutant that is tried at the same time, each with a cache of compiled files."""

    def __init__(self, folder: Path):
        self._free: Queue[Path] = Queue()
        command = ["git", "ls-files", "-co", "--exclude-standard"]
        names = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=True).stdout.splitlines()
        for number in range(AT_ONCE):
            copy = folder / str(number)
            for name in names:
                if (ROOT / name).is_file():
                    (copy / name).parent.mkdir(parents=True, exist_ok=True)
                    shutil.copy2(ROOT / name, copy / name)
            self._free.put(copy)

    @contextmanager
    def one(self) -> Iterator[Path]:
        copy = self._free.get()
        try:
            yield copy
        finally:
            self._free.put(copy)


def run(copy: Path, tests: str, limit: float | None = None) -> tuple[int | None, str]:
    """pytest's exit status in a copy, None if it took longer than this many seconds, and its output."""
    environment = {
        **os.environ,
        "PYTHONPATH": str(copy / "gen"),
        "PYTHONDONTWRITEBYTECODE": "1",
        "CLICKBPF_CACHE": str(copy / ".cache"),
        "CI": "1",  # hypothesis takes the same examples each time
    }
    command = [sys.executable, "-m", "pytest", "-x", "-q", "-p", "no:cacheprovider", *shlex.split(tests)]
    try:
        done = subprocess.run(command, cwd=copy, env=environment, capture_output=True, text=True, timeout=limit)
    except subprocess.TimeoutExpired:
        return None, ""
    return done.returncode, done.stdout + done.stderr


def unmutated(copies: Copies, tests: str) -> float:
    """The seconds that tests take; SystemExit if they don't pass."""
    with copies.one() as copy:
        begin = time.monotonic()
        status, said = run(copy, tests)
    if status:
        raise SystemExit(f"without a mutant, these do not pass: {tests}\n{said}")
    return time.monotonic() - begin


def verdict(mutant: Mutant, status: int | None, said: str) -> tuple[str, bool]:
    if any(text in said for text in UNCOMPILED):
        return "WRONG: it does not compile", False
    if status == 0:
        return ("survives", True) if mutant.survives else ("SURVIVES", False)
    if status is not None and status < 0:
        return "killed by a crash", True
    if status not in (1, None):
        return f"WRONG: pytest ended with {status}", False
    return ("KILLED, against what is said of it", False) if mutant.survives else ("killed" if status else "killed by the time", True)


def tried(copies: Copies, mutant: Mutant, usual: float) -> Found:
    """Make the mutant in a copy, run its tests, and unmake it."""
    begin = time.monotonic()
    with copies.one() as copy:
        try:
            before = mutant.apply(copy)
        except ValueError as error:
            return report(Found(mutant, f"WRONG: {error}", False, 0), "")
        try:
            if mutant.file.endswith(".py"):
                ast.parse((copy / mutant.file).read_text())
            status, said = run(copy, mutant.tests, SLOWER * usual + SLACK)
        finally:
            (copy / mutant.file).write_text(before)
    return report(Found(mutant, *verdict(mutant, status, said), time.monotonic() - begin), said)


def report(found: Found, said: str) -> Found:
    """As soon as it is known: the run is long."""
    print(f"{found.what:<10} {found.seconds:4.0f} s  {found.mutant.file}: {found.mutant.name}", flush=True)
    if not found.good:
        print(said[-2000:], flush=True)
    return found


def main(words: Sequence[str]) -> int:
    chosen = [mutant for mutant in mutants() if not words or any(word in f"{mutant.file} {mutant.name}" for word in words)]
    with tempfile.TemporaryDirectory(prefix="mutants-") as folder, ThreadPoolExecutor(AT_ONCE) as pool:
        copies = Copies(Path(folder))
        tests = sorted({mutant.tests for mutant in chosen})
        usual = dict(zip(tests, pool.map(lambda each: unmutated(copies, each), tests)))
        found = list(pool.map(lambda mutant: tried(copies, mutant, usual[mutant.tests]), chosen))
    bad = [each for each in found if not each.good]
    killed = sum(each.what.startswith("killed") for each in found)
    print(f"\n{len(found)} mutants: {killed} killed, {len(found) - killed - len(bad)} survive for a reason, {len(bad)} to look at")
    for each in bad:
        print(f"    {each.what:<10} {each.mutant.file}: {each.mutant.name}")
    for each in found:
        if each.mutant.survives:
            print(f"    {each.mutant.name} survives: {each.mutant.survives}")
    return bool(bad)


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
