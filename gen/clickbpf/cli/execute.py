"""Finds the command of a command line, runs it, and shows its errors."""

import errno
import gc
import io
import os
import signal
import sys
from collections.abc import Sequence
from pathlib import Path

from clickbpf import interrupts
from clickbpf.cli.parser import COMMANDS, parse
from clickbpf.errors import ClickError
from clickbpf.messages import as_click, show

#: Names of Click's tools, which are links to clickbpf: the command that each runs. (click-buildtool takes a command as its first word.)
TOOLS = {
    "click": ["run"],
    "click-buildtool": [],
    **{f"click-{name}": [name] for name in COMMANDS if name in (
        "flatten", "pretty", "check", "undead", "align", "xform", "fastclassifier", "combine", "uncombine",
        "install", "uninstall",
    )},
}  # fmt: skip


def execute(arguments: Sequence[str] | None) -> int:
    """Run a command line, by default the process's own; the exit status."""
    interrupts.unwind()
    if isinstance(sys.stdout, io.TextIOWrapper):  # UTF-8 in every locale; other bytes of a configuration are printed unchanged
        sys.stdout.reconfigure(encoding="utf-8", errors="surrogateescape")
    if arguments is None:
        arguments = [*TOOLS.get(Path(sys.argv[0]).name, ()), *sys.argv[1:]]
    try:
        parsed = parse(arguments)
    except SystemExit as ended:
        return 1 if ended.code == 2 and as_click() else ended.code
    gc.enable()
    try:
        return parsed.command(parsed) or 0
    except ClickError as error:
        show(error.diagnostics, error.sources)
        return 1
    except BrokenPipeError:
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return 128 + signal.SIGPIPE
    except OSError as error:
        sys.stderr.write(f"error: {error.filename or 'the system'}: {error.strerror}\n")
        if error.errno in (errno.EMFILE, errno.EACCES, errno.EPERM):
            sys.stderr.write(f"hint: {'ulimit -n 1024' if error.errno == errno.EMFILE else 'run it as root'}\n")
        return 1
