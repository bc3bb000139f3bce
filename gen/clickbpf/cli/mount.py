"""Mount the handlers of a loaded router as files, as Click's kernel module has them in /proc/click."""

import argparse
import errno
import os
from pathlib import Path

from clickbpf.cli.output import pip, say
from clickbpf.cli.read import add_router
from clickbpf.errors import ClickError


def add_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("folder", metavar="DIR", type=Path, help="an empty folder, where the files are until this command is interrupted")
    add_router(parser)


def run(options: argparse.Namespace) -> None:
    from clickbpf.load.access.listing import choose

    name = choose(options.router)
    _check_folder(options.folder)
    try:
        from clickbpf.observe.mounted import mount
    except (ImportError, OSError) as error:
        if isinstance(error, ImportError) and error.name != "mfusepy":
            raise
        missing = f"mounting needs the Python package mfusepy and the library libfuse: {error}"
        raise ClickError(missing, hint=f"{pip('mount')}; apt-get install fuse3") from None
    say(f"{name} at {options.folder}, until this is interrupted or 'umount {options.folder}' is run")
    mount(name, options.folder)


def _check_folder(folder: Path) -> None:
    """ClickError if there is no folder, one with something in it, which would be out of reach, or one where a mount was killed."""
    try:
        with os.scandir(folder) as entries:  # its status might be an old one
            if any(entries):
                raise ClickError(f"{folder} is not empty", hint="handlers would hide what is there: give an empty folder")
    except (FileNotFoundError, NotADirectoryError):
        raise ClickError(f"there is no folder {folder}", hint=f"mkdir {folder}") from None
    except OSError as error:
        if error.errno != errno.ENOTCONN:
            raise
        hint = f"umount {folder}, as root, or fusermount3 -u {folder}"
        raise ClickError(f"at {folder} is a mount whose process was killed", hint=hint) from None
