"""A router on trial: unless the user confirms it, the router that had its name before is restored (confirm.py).

The file `unconfirmed` in the router's folder contains the trial's token. The process that removes the file, under the lock, decides. The
folder also has the router to restore, if there was one: the last that was not on trial itself.
"""

from contextlib import suppress

from clickbpf import private
from clickbpf.errors import ClickError
from clickbpf.load.files.places import RunFolder, locked, taken

#: Files in the router's folder: the object and the record of the router to restore, and the token of a trial that wasn't confirmed.
OBJECT, RECORD, OVER = "before.o", "before.json", "over"


def put_on_trial(token: str, folder: RunFolder, current: RunFolder) -> None:
    """Put the router of a new folder on trial; `current` is the folder of the router that it replaces, or `folder` itself."""
    if current != folder:
        on_trial = current.unconfirmed.exists() or (current.root / OVER).exists()
        names = (OBJECT, RECORD) if on_trial else (current.object.name, current.record.name)
        for source, target in zip(names, (OBJECT, RECORD), strict=True):
            with suppress(FileNotFoundError):  # the first router on trial may have replaced none
                private.write(folder.root / target, (current.root / source).read_bytes())
    private.write(folder.unconfirmed, token.encode())


def before(folder: RunFolder) -> tuple[bytes, str] | None:
    """The object and the record of the router to restore; None if there is none."""
    with suppress(FileNotFoundError):
        return (folder.root / OBJECT).read_bytes(), (folder.root / RECORD).read_text()
    return None


def token_of(folder: RunFolder) -> str | None:
    """The token of the trial that waits for confirmation, or None."""
    return private.read(folder.unconfirmed)


def waits(name: str, token: str) -> bool:
    """Whether that trial waits for confirmation. While a command holds the lock, the folder may be another router's for a moment."""
    folder = RunFolder.of(name)
    if token_of(folder) == token:
        return True
    with locked():
        return token_of(folder) == token


def confirm(name: str, token: str | None = None) -> None:
    """Keep a router on trial; with a token, only if the trial is that one. ClickError if there is nothing to confirm."""
    folder = RunFolder.of(name)
    with locked():
        waiting = token_of(folder)
        if waiting is None:
            raise ClickError(f"{name} is not waiting for confirmation", hint="'clickbpf list' shows what is loaded")
        if token not in (None, waiting):
            raise taken(name)
        folder.unconfirmed.unlink()
        for file in (OBJECT, RECORD):
            (folder.root / file).unlink(missing_ok=True)


def end(name: str, token: str) -> str | None:
    """End a trial that wasn't confirmed; returns the router's version (RunFolder.version()), None if the trial is over already."""
    folder = RunFolder.of(name)
    with locked():
        if token_of(folder) != token:
            return None
        folder.unconfirmed.rename(folder.root / OVER)
        return folder.version() or ""
