"""Runs a command and writes the seconds of CPU that it took and the most megabytes that it had, in JSON.

    python tests/bench/spent.py COMMAND [ARGUMENT ...]

A process of its own, because Linux counts the memory of the process that starts a command as the command's.
"""

from __future__ import annotations

import json
import os
import sys


def main() -> None:
    command = sys.argv[1:]
    _, status, used = os.wait4(os.posix_spawnp(command[0], command, os.environ), 0)
    if status:
        raise SystemExit(f"{command[-1]}: status {os.waitstatus_to_exitcode(status)}")
    json.dump((used.ru_utime + used.ru_stime, used.ru_maxrss / 1024), sys.stdout)


if __name__ == "__main__":
    main()
