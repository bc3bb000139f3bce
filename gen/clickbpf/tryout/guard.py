"""A process that removes a trial's router and namespaces if their owner is killed.

    python -m clickbpf.tryout.guard OWNER
waits for the end of its standard input, a pipe that only the owner holds open.
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
    """Within this context a guard cleans up if this process ends, for whatever reason."""
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
