"""Mount the handlers of a loaded router as files, as Click's kernel module has them in /proc/click."""

from __future__ import annotations

import argparse
from pathlib import Path

from clickbpf.cli.output import say
from clickbpf.cli.read import add_router
from clickbpf.errors import ClickError


def add_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("folder", metavar="DIR", type=Path, help="an empty folder, where the files are until this command is interrupted")
    add_router(parser)


def run(options: argparse.Namespace) -> None:
    from clickbpf.load.access.listing import choose

    name = choose(options.router)
    if not options.folder.is_dir():
        raise ClickError(f"there is no folder {options.folder}", hint=f"mkdir {options.folder}")
    try:
        from clickbpf.observe.mounted import mount
    except (ImportError, OSError) as error:
        if isinstance(error, ImportError) and error.name != "mfusepy":
            raise
        missing = f"file systems are made by the Python package mfusepy and the library libfuse, of which one is missing ({error})"
        raise ClickError(missing, hint="pip install 'clickbpf[mount]'; apt-get install libfuse3-3") from None
    say(f"{name} at {options.folder}, until this is interrupted or 'umount {options.folder}' is run")
    mount(name, str(options.folder))
