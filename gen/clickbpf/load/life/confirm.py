"""A load that has to be confirmed: if it isn't, perhaps because the machine can no longer be reached, the previous state is
restored.

    python -m clickbpf.load.life.confirm ROUTER TOKEN SECONDS

waits in the background. The file `unconfirmed` in the router's folder holds the token; the process that removes the file decides.
"""

from __future__ import annotations

import json
import secrets
import subprocess
import sys
import syslog
import time
from pathlib import Path

from clickbpf import private
from clickbpf.errors import ClickError
from clickbpf.frozen import frozen
from clickbpf.load.files.places import RunFolder, locked
from clickbpf.load.files.process import own_environment
from clickbpf.load.files.record import whole_record
from clickbpf.load.life.again import request_as_loaded
from clickbpf.load.life.replace import replace
from clickbpf.load.life.unload import unload
from clickbpf.objects.manifest import Manifest

#: Seconds between two checks whether it was confirmed.
GLANCE = 0.2
#: Below the router's folder: the object and the record of the previous router.
OBJECT, RECORD = "before.o", "before.json"


@frozen
class Before:
    """What is needed to bring back a router, and its version (RunFolder.version())."""

    version: str
    object: bytes
    record: bytes


def remember(name: str) -> Before | None:
    """What is needed to bring back the router that has the name now; None if there is none. Only that one may then be replaced
    (`of` of replace())."""
    folder = RunFolder.of(name)
    if not folder.exists():
        return None
    with locked():
        whole_record(name)
        return Before(folder.version(), folder.object.read_bytes(), folder.record.read_bytes())


def watch(name: str, before: Before | None, seconds: float) -> None:
    """Start a process that waits for the confirmation of a router that was just loaded, and undoes the load without one."""
    folder, token = RunFolder.of(name), secrets.token_hex(8)
    if before is not None:
        private.write(folder.root / OBJECT, before.object)
        private.write(folder.root / RECORD, before.record)
    private.write(folder.unconfirmed, token.encode())
    subprocess.Popen(
        [sys.executable, "-m", __name__, name, token, str(seconds)],
        stdin=subprocess.DEVNULL,
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
        cwd="/",
        env=own_environment(),
        start_new_session=True,
    )


def confirm(name: str) -> None:
    """Let a router stay; ClickError if there is nothing to confirm."""
    try:
        RunFolder.of(name).unconfirmed.unlink()
    except FileNotFoundError:
        raise ClickError(f"{name} is not waiting for confirmation", hint="'clickbpf list' shows what is loaded") from None


# -- in the process that waits ----------------------------------------------------------------------------------------


def main(name: str, token: str, seconds: str) -> int:
    end = time.monotonic() + float(seconds)
    folder = RunFolder.of(name)
    while time.monotonic() < end:
        if _read(folder.unconfirmed) != token:
            return 0
        time.sleep(GLANCE)
    version = folder.version()
    try:
        if _read(folder.unconfirmed) != token:
            return 0
        folder.unconfirmed.unlink()
    except FileNotFoundError:
        return 0
    try:
        said = _undo(name, version)
    except Exception as error:  # whatever it is: nothing else would report it
        said = f"{name} was not confirmed and can't be undone: {error}"
    syslog.syslog(syslog.LOG_WARNING, f"clickbpf: {said}")
    return 0


def _read(file: Path) -> str | None:
    try:
        return file.read_text()
    except FileNotFoundError:
        return None


def _undo(name: str, version: str | None) -> str:
    """Undo the load of the router of this version."""
    folder = RunFolder.of(name)
    if not (folder.root / OBJECT).exists():
        unload(name, lambda text: None)
        return f"{name} was not confirmed: unloaded again"
    content, done = (folder.root / OBJECT).read_bytes(), json.loads((folder.root / RECORD).read_text())
    replace(request_as_loaded(name, content, Manifest.from_object(content, OBJECT), done, lambda text: None), version)
    return f"{name} was not confirmed: the previous router is back"


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
