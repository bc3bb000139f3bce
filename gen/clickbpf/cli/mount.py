"""Mount the handlers of a loaded router as files, as Click's kernel module has them in /proc/click."""

import argparse
import errno
import os
from pathlib import Path

from clickbpf.cli.output import pip, say
from clickbpf.cli.read import ROUTER, add_router
from clickbpf.errors import ClickError


def add_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("folder", metavar="DIR", type=Path, help="an empty folder; the files are there until this command is interrupted")
    add_router(parser)


def run(options: argparse.Namespace) -> None:
    from clickbpf.load.access.listing import choose

    name = choose(options.router, ROUTER)
    _check_folder(options.folder)
    try:
        from clickbpf.observe.filesystem import mount
    except (ImportError, OSError) as error:
        if isinstance(error, ImportError) and error.name != "mfusepy":
            raise
        missing = f"mounting needs the Python package mfusepy and the library libfuse: {error}"
        raise ClickError(missing, hint=f"{pip('mount')}; apt-get install fuse3") from None
    say(f"{name} is mounted at {options.folder}, until Ctrl-C or 'umount {options.folder}'")
    mount(name, options.folder)


def _check_folder(folder: Path) -> None:
    """ClickError unless there is an empty folder. A mount would hide its files; a mount whose process was killed has to be undone first."""
    try:
        with os.scandir(folder) as entries:  # stat() might answer from a cache
            if any(entries):
                raise ClickError(f"{folder} is not empty", hint="a mount would hide its files: give an empty folder")
    except (FileNotFoundError, NotADirectoryError):
        raise ClickError(f"there is no folder {folder}", hint=f"mkdir {folder}") from None
    except OSError as error:
        if error.errno != errno.ENOTCONN:
            raise
        hint = f"umount {folder}, as root, or fusermount3 -u {folder}"
        raise ClickError(f"{folder} is still a mount, whose process was killed", hint=hint) from None
