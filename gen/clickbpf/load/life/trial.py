"""A router on trial: unless somebody keeps it, what had its name before comes back (confirm.py).

The file `unconfirmed` in the router's folder has the token of the trial. Whoever removes the file, under the lock, decides. The folder also
has what comes back: the last router that was not on trial itself, or none.
"""

from contextlib import suppress

from clickbpf import private
from clickbpf.errors import ClickError
from clickbpf.load.files.places import RunFolder, locked, taken

#: Below the router's folder: the object and the record of the router that comes back, and the token of a trial that is over.
OBJECT, RECORD, OVER = "before.o", "before.json", "over"


def put_on_trial(token: str, folder: RunFolder, current: RunFolder) -> None:
    """Write into a router's new folder that it is on trial; `current` is the folder that has the router's name until then, or
    `folder` itself if none has."""
    if current != folder:
        on_trial = current.unconfirmed.exists() or (current.root / OVER).exists()
        names = (OBJECT, RECORD) if on_trial else (current.object.name, current.record.name)
        for source, target in zip(names, (OBJECT, RECORD), strict=True):
            with suppress(FileNotFoundError):  # the first of these routers had none before it
                private.write(folder.root / target, (current.root / source).read_bytes())
    private.write(folder.unconfirmed, token.encode())


def before(folder: RunFolder) -> tuple[bytes, str] | None:
    """The object and the record of the router that comes back; None if none does."""
    with suppress(FileNotFoundError):
        return (folder.root / OBJECT).read_bytes(), (folder.root / RECORD).read_text()
    return None


def token_of(folder: RunFolder) -> str | None:
    """The token of the trial that waits for its confirmation."""
    with suppress(FileNotFoundError):
        return folder.unconfirmed.read_text()
    return None


def waits(name: str, token: str) -> bool:
    """Whether that trial waits for its confirmation: also while another router is in the place of this one, but may still go."""
    folder = RunFolder.of(name)
    if token_of(folder) == token:
        return True
    with locked():
        return token_of(folder) == token


def confirm(name: str, token: str | None = None) -> None:
    """Let a router stay; with a token, only if it is that trial's. ClickError if there is nothing to confirm."""
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
    """End a trial that nobody has confirmed; returns the router's version (RunFolder.version()), None if the trial is over already."""
    folder = RunFolder.of(name)
    with locked():
        if token_of(folder) != token:
            return None
        folder.unconfirmed.rename(folder.root / OVER)
        return folder.version() or ""
