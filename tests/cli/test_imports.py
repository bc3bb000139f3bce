"""What commands import: those that ask a running router are run by the thousand, and import nothing that reads configurations."""

from __future__ import annotations

import subprocess
import sys

import pytest

#: What takes longer to import than all else that such a command does.
SLOW = ("clickbpf.lang", "clickbpf.compile", "lark", "pyroute2", "elftools")
PROGRAM = """
import sys
from clickbpf.cli.main import main

try:
    status = main(sys.argv[1:])
except SystemExit as ended:
    status = ended.code
print(status, *(name for name in %r if name in sys.modules))
"""


@pytest.mark.parametrize(
    "arguments",
    ["read -r none-such c.count", "write -r none-such c.reset", "list --json", "log none-such"],
)
def test_commands_that_ask_a_router(arguments):
    done = subprocess.run([sys.executable, "-c", PROGRAM % (SLOW,), *arguments.split()], capture_output=True, text=True, check=True)
    status, *imported = done.stdout.splitlines()[-1].split()
    assert status == ("0" if "list" in arguments else "1") and imported == [], done.stderr
