"""The folders that a user other than root needs to load routers, made and removed by root (users.py has their paths)."""

from __future__ import annotations

import os
import shutil
import stat
import subprocess
from pathlib import Path

from clickbpf.errors import ClickError
from clickbpf.load.files import places
from clickbpf.load.kernel import bpffs, users
from clickbpf.load.kernel.causes import explained

#: Everybody may enter the folder above the user's own folders, which only the user may enter.
PASSABLE, OWN = 0o755, 0o700


def grant(uid: int, gid: int) -> None:
    """Make what doesn't exist yet. ClickError if something else is in its place."""
    with explained(f"{users.home(uid)} can't be made"):
        _folder(users.home(uid), PASSABLE)
        _folder(users.run(uid), OWN)
        os.chown(users.run(uid), uid, gid)
        point = users.bpffs(uid)
        if not bpffs.is_bpffs(point):
            _folder(point, OWN)
            os.chown(bpffs.mount(point), uid, gid)


def revoke(uid: int) -> None:
    """Remove it all. ClickError while routers of the user are loaded."""
    loaded = sorted({path.name for path in (*_within(users.run(uid)), *_within(users.bpffs(uid) / places.FOLDER))})
    if loaded:
        message = f"routers of this user are loaded: {', '.join(map(places.decode, loaded))}"
        raise ClickError(message, hint="clickbpf unload --all, as that user")
    with explained(f"{users.home(uid)} can't be removed"):
        if bpffs.is_bpffs(users.bpffs(uid)):
            done = subprocess.run(["umount", str(users.bpffs(uid))], capture_output=True, text=True)
            if done.returncode:
                raise ClickError(f"the BPF file system can't be unmounted: {done.stderr.strip()}")
        if users.home(uid).is_dir():
            shutil.rmtree(users.home(uid))


def _folder(path: Path, mode: int) -> None:
    """A folder; one that is there already is no symbolic link, since only root can write above it."""
    if not path.exists():
        path.mkdir()
    if not stat.S_ISDIR(path.lstat().st_mode):
        raise ClickError(f"{path} is not a folder")
    path.chmod(mode)


def _within(folder: Path) -> list[Path]:
    return list(folder.iterdir()) if folder.is_dir() else []
