"""The paths of a loaded router: its pins in a bpffs, and its folder in /run.

    /sys/fs/bpf/clickbpf/<router>/links/<device>              attachments
                                  spread/<device>/            queues of the CPUs that its packets are spread over
                                  progs/<program>             programs
                                  maps/<map>                  maps
                                  elements/<a/b>/<state>      the map that holds an element's state
    /run/clickbpf/<router>/                                   manifest, objects, control socket, log, process id

Users other than root who may load routers (users.py) have /run/clickbpf-<uid>/bpf/ instead of /sys/fs/bpf/, and
/run/clickbpf-<uid>/run/ instead of /run/clickbpf/.

Both folders belong to the user who loaded the router, and only that user can enter them: objects contain configurations with their
keys, and the control socket obeys every client. A bpffs refuses names with dots, so names are encoded as in URLs: a dot is %2E, a
percent sign %25.
"""

from __future__ import annotations

import os
import re
import shutil
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager, suppress
from pathlib import Path

from clickbpf import private
from clickbpf.errors import ClickError
from clickbpf.frozen import frozen
from clickbpf.load.files import locking
from clickbpf.load.kernel import bpffs, users
from clickbpf.load.kernel.causes import explained
from clickbpf.objects.manifest import Manifest

RUN = users.run() if users.has_own() else Path("/run/clickbpf")
FOLDER = "clickbpf"
#: Suffixes of a router's name: for the router that is about to replace it, and for the one that was replaced. Names have no plus sign.
NEW, OLD = "+new", "+old"


def encode(name: str) -> str:
    """A name in a form that a bpffs accepts, without the + that separates a hook or NEW and OLD."""
    return name.replace("%", "%25").replace(".", "%2E").replace("+", "%2B")


def decode(name: str) -> str:
    return name.replace("%2B", "+").replace("%2E", ".").replace("%25", "%")


def is_name(name: str) -> bool:
    """Whether a router can have that name, which is also a file name."""
    return re.fullmatch(r"[A-Za-z0-9_][A-Za-z0-9_.-]{0,63}", name) is not None


def check_name(name: str) -> str:
    """The name of a router, or ClickError if it can't be one."""
    if not is_name(name):
        raise ClickError(f"'{name}' can't be a router's name", hint="letters, digits, '_' and, after the first, '-' and '.', at most 64")
    return name


@frozen
class Pins:
    """The pins of one router: a folder in a bpffs."""

    root: Path

    @classmethod
    def of(cls, name: str, suffix: str = "") -> Pins:
        return cls(bpffs.root() / FOLDER / (encode(check_name(name)) + suffix))

    def make(self) -> None:
        """Create the folder, for this user alone."""
        for folder in (self.root.parent, self.root):
            private.claim_folder(folder)

    def link(self, device: str, hook: str = "") -> Path:
        """The pin of a device's attachment; `hook` names attachments other than the kernel path's."""
        return self.root / "links" / (encode(device) + (f"+{hook}" if hook else ""))

    def spread(self, device: str) -> Path:
        """The folder of the queues over which a device's packets are spread."""
        return self.root / "spread" / encode(device)

    @staticmethod
    def spread_of(link: Path) -> Path:
        """The same folder, by the pin of the device's attachment."""
        return link.parents[1] / "spread" / link.name

    def program(self, name: str) -> Path:
        return self.root / "progs" / encode(name)

    def map(self, name: str) -> Path:
        return self.root / "maps" / encode(name.removeprefix("."))

    def state(self, element: str, state: str) -> Path:
        return self.root.joinpath("elements", *map(encode, element.split("/")), encode(state))

    def links(self) -> tuple[Path, ...]:
        return _within(self.root / "links")

    def entrances(self) -> tuple[Path, ...]:
        """The pins of the kernel path's attachments only."""
        return tuple(path for path in self.links() if "+" not in path.name)

    def programs(self) -> tuple[Path, ...]:
        return _within(self.root / "progs")

    def exists(self) -> bool:
        return self.root.is_dir()

    def remove(self) -> None:
        """Remove all pins, which frees everything that nothing else holds; then remove the folder above, if it is empty."""
        if self.root.is_dir():
            shutil.rmtree(self.root)
        with suppress(OSError):
            self.root.parent.rmdir()


def _within(folder: Path) -> tuple[Path, ...]:
    return tuple(sorted(folder.iterdir())) if folder.is_dir() else ()


class _In:
    """An attribute with the path of a file in the folder."""

    def __init__(self, name: str):
        self._name = name

    def __get__(self, folder: RunFolder, owner: type[RunFolder]) -> Path:
        return folder.root / self._name


@frozen
class RunFolder:
    """A router's folder in /run."""

    root: Path

    #: The BPF object, with its manifest.
    object = _In("router.o")
    #: The folder of the files that the object carries, if any.
    carried = _In("carried")
    #: How it was loaded, and what was done to devices (load/devices/record.py).
    record = _In("record.json")
    #: Exists while the load waits for confirmation.
    unconfirmed = _In("unconfirmed")
    control = _In("control")
    log = _In("log")
    #: The state that the runtime reports (states.py).
    state = _In("state")
    #: Whether the runtime's code is optimised (states.py).
    code = _In("code")
    #: How the runtime sends by each device (load/path/crossing.py), in JSON.
    crossings = _In("crossings.json")
    pid = _In("pid")

    @classmethod
    def of(cls, name: str, suffix: str = "") -> RunFolder:
        return cls(RUN / (check_name(name) + suffix))

    def beside(self, suffix: str) -> RunFolder:
        """The folder of the router that is about to replace this one, or that it has replaced."""
        return RunFolder(self.root.with_name(self.root.name + suffix))

    def exists(self) -> bool:
        return self.root.is_dir()

    def manifest(self) -> Manifest:
        """The manifest in the object."""
        return Manifest.from_object(self.object.read_bytes(), str(self.object))

    def version(self) -> str | None:
        """The version of the loaded router, from its object, which is another file once another router has replaced it; None if none is
        loaded."""
        with suppress(OSError):
            return version(self.object.stat())
        return None

    def of_process(self) -> tuple[Path, ...]:
        """The files of the process, which stay the same when it changes to another router."""
        return (self.control, self.pid, self.state, self.code, self.crossings, self.log, self.log.with_name("log.1"))

    def remove(self) -> None:
        shutil.rmtree(self.root, ignore_errors=True)


@contextmanager
def locked() -> Iterator[None]:
    """The lock under which one command at a time loads or changes routers.

    It is on the folder in /run, which is removed when it is empty. No other user can open the folder, and so hold the lock.
    """
    if os.geteuid() and not users.has_own():
        raise ClickError(f"this user has no folder {users.home(os.geteuid())}", hint=users.cure())
    with explained(f"{RUN} can't be made"):
        lock = _lock()
    try:
        yield
    finally:
        with suppress(OSError):
            RUN.rmdir()
        os.close(lock)


def _lock() -> int:
    """Lock the folder, and return its descriptor; repeated if the folder was removed meanwhile."""
    while True:
        private.claim_folder(RUN)
        with suppress(FileNotFoundError), ExitStack() as undo:
            lock = os.open(RUN, os.O_RDONLY | os.O_DIRECTORY | os.O_CLOEXEC)
            undo.callback(os.close, lock)
            locking.take(lock, RUN)
            if os.path.samestat(RUN.stat(), os.fstat(lock)):
                undo.pop_all()
                return lock


def loaded() -> Iterator[str]:
    """The names of all routers that are loaded completely or partly, sorted."""
    with explained(f"what is loaded can't be seen by user {os.geteuid()}"):
        names = {path.name for path in RUN.iterdir() if path.is_dir()} if RUN.is_dir() else set()
        pinned = bpffs.mounted()
        folder = pinned / FOLDER if pinned else None
        if folder and folder.is_dir():
            names |= {decode(path.name) for path in folder.iterdir()}
    yield from sorted(filter(is_name, names))


def version(status: os.stat_result) -> str:
    """A file's version, from its status: it changes when the file is replaced or written to."""
    return f"{status.st_ino:x}-{status.st_mtime_ns:x}"


def not_loaded(name: str) -> ClickError:
    """The error for a name that no loaded router has."""
    check_name(name)
    names = list(loaded())
    return ClickError(f"no router named {name} is loaded", hint=f"loaded are {', '.join(names)}" if names else "none is loaded")


def taken(name: str) -> ClickError:
    """The error for a router that was replaced meanwhile."""
    return ClickError(f"another router has replaced {name} meanwhile", hint="look at that one, and try again")


def incomplete(name: str) -> ClickError:
    """The error for a router with missing parts."""
    missing = "pins" if RunFolder.of(name).exists() else "folder"
    return ClickError(f"{name} is only partly loaded: its {missing} is gone", hint=f"clickbpf unload {name}, then load it again")
