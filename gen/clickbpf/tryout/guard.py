"""A process that removes what its owner has made for a trial, if the owner is killed before it could.

    python -m clickbpf.tryout.guard OWNER

waits for the end of its standard input, whose other end only the owner has.
"""

import os
import signal
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager

from clickbpf.load.files.process import start_beside


@contextmanager
def guarded() -> Iterator[None]:
    """Within this context a guard notices the end of this process, whatever its cause."""
    guard = start_beside(__name__, str(os.getpid()), stdin=subprocess.PIPE)
    try:
        yield
    finally:
        guard.kill()
        guard.communicate()


def main(owner: str) -> int:
    for number in (signal.SIGINT, signal.SIGTERM, signal.SIGHUP):
        signal.signal(number, signal.SIG_IGN)
    sys.stdin.buffer.read()
    from clickbpf.tryout.lab import clean

    clean(int(owner))
    return 0


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
