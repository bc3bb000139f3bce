"""Creates and removes, as root, the folders that another user needs to load routers (users.py has their paths).

The user may put anything into them. So root only uses names from there that routers can have, opens no file there, and waits for no lock
that the user could hold.
"""

import fcntl
import os
import signal
import stat
import subprocess
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

from clickbpf.errors import ClickError
from clickbpf.load.files import places
from clickbpf.load.files.process import Process
from clickbpf.load.kernel import bpffs, users
from clickbpf.load.kernel.causes import explained
from clickbpf.load.kernel.fds import Map, kind_of
from clickbpf.load.kernel.libbpf import BpfError
from clickbpf.load.kernel.libxdp import device_of

#: Everybody may enter the folder above; only the user may enter the user's own folders. While they are removed, only root may enter.
PASSABLE, OWN = 0o755, 0o700
#: A word in the command lines of a router's processes.
SERVICE = b"clickbpf.load.process.service"
#: The most routers that a refusal names.
NAMED = 5


def grant(uid: int, gid: int) -> None:
    """Create the folders and the BPF file system, as far as they don't exist. ClickError if something else has their names."""
    with places.locked(), explained(f"{users.home(uid)} can't be made"):
        _folder(users.home(uid), PASSABLE)
        _folder(users.run(uid), OWN)
        os.chown(users.run(uid), uid, gid)
        point = users.bpffs(uid)
        if not bpffs.is_bpffs(point):
            _folder(point, OWN)
            point = bpffs.mount(point)
        os.chown(point, uid, gid)


def revoke(uid: int, force: bool = False) -> None:
    """Remove them. ClickError if the user has routers loaded, or is loading or unloading one; with `force`, these are ended."""
    with places.locked(), explained(f"{users.home(uid)} can't be removed"):
        if not users.home(uid).is_dir():
            return
        with _closed(users.home(uid)):
            if not force:
                _refuse_what_is_used(uid)
            for process in _services(uid):
                _kill(process)
            _unmount(users.bpffs(uid))
            _remove(users.home(uid))


@contextmanager
def _closed(home: Path) -> Iterator[None]:
    """Within this context only root can enter the folder; afterwards everybody can again, if it still exists."""
    home.chmod(OWN)
    try:
        yield
    finally:
        with suppress(FileNotFoundError):
            home.chmod(PASSABLE)


def _refuse_what_is_used(uid: int) -> None:
    if loaded := sorted({*_attached(uid), *map(_router, _services(uid))}):
        more = f" and {len(loaded) - NAMED} more" if len(loaded) > NAMED else ""
        message = f"routers of this user are loaded: {', '.join(loaded[:NAMED])}{more}"
        raise ClickError(message, hint="clickbpf unload --all, as that user; or --force, which ends them")
    if users.run(uid).is_dir() and _is_locked(users.run(uid)):
        raise ClickError("a command of this user is changing what is loaded", hint="wait for its end; or --force, which doesn't")


def _is_locked(folder: Path) -> bool:
    """Whether another process has locked the folder (places.py)."""
    opened = os.open(folder, os.O_RDONLY | os.O_DIRECTORY | os.O_CLOEXEC | os.O_NOFOLLOW)
    try:
        fcntl.flock(opened, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except BlockingIOError:
        return True
    finally:
        os.close(opened)
    return False


def _attached(uid: int) -> Iterator[str]:
    """The names of routers that have pinned attachments."""
    for folder in _entries(users.bpffs(uid) / places.FOLDER):
        name = places.decode(folder.name).removesuffix(places.NEW).removesuffix(places.OLD)
        if places.is_name(name) and any(map(_is_attachment, _entries(folder / "links"))):
            yield name


def _entries(folder: Path) -> Iterator[Path]:
    """The entries of a folder, without symbolic links; empty if it isn't a folder."""
    if folder.is_dir() and not folder.is_symlink():
        yield from (path for path in folder.iterdir() if not path.is_symlink())


def _is_attachment(path: Path) -> bool:
    """Whether a pin is a link, or the map of a dispatcher's member. The kernel calls a link's file bpf_link if the link was created by this
    process, and bpf-link if its pin was opened."""
    with suppress(BpfError), Map.pinned(path) as opened:
        kind = kind_of(opened.fd).replace("-", "_")
        return kind == "bpf_link" or kind == "bpf_map" and device_of(opened) is not None
    return False


def _services(uid: int) -> Iterator[tuple[Process, Path]]:
    """The processes of the user's routers, each with the router's folder."""
    for folder in Path("/proc").iterdir():
        with suppress(OSError):
            if folder.name.isdecimal() and folder.stat().st_uid == uid:
                process = Process.of(int(folder.name))
                words = (folder / "cmdline").read_bytes().split(b"\0")
                after = dict(zip(words[:4], words[1:5]))
                if process and SERVICE in after:
                    yield process, Path(os.fsdecode(after[SERVICE]))


def _router(service: tuple[Process, Path]) -> str:
    """The router's name; if that isn't a valid one (the user may have faked the command line), the process's id."""
    process, folder = service
    return folder.name if places.is_name(folder.name) else f"process {process.pid}"


def _kill(service: tuple[Process, Path]) -> None:
    with service[0].opened() as found, suppress(ProcessLookupError):
        if found is not None:
            signal.pidfd_send_signal(found, signal.SIGKILL)


def _unmount(point: Path) -> None:
    """Unmount a BPF file system, even if a process uses it, for which it stays until that ends."""
    if bpffs.is_bpffs(point):
        done = subprocess.run(["umount", "--lazy", str(point)], capture_output=True, text=True)
        if done.returncode:
            raise ClickError(f"the BPF file system can't be unmounted: {done.stderr.strip()}")


def _remove(folder: Path) -> None:
    """Remove a tree, however deep it is."""
    done = subprocess.run(["rm", "-rf", "--one-file-system", "--", str(folder)], capture_output=True, text=True)
    if done.returncode:
        raise ClickError(f"{folder} can't be removed whole: a process of the user is writing into it", hint="end the user's processes")


def _folder(path: Path, mode: int) -> None:
    """Create a folder, or check an existing one. (It can't be a symbolic link of the user's, since only root can write to its parent.)"""
    if not path.exists():
        path.mkdir()
    if not stat.S_ISDIR(path.lstat().st_mode):
        raise ClickError(f"{path} is not a folder")
    path.chmod(mode)
