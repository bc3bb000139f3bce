"""The folder, created by root, in which a user other than root loads routers (`clickbpf grant`).

/run/clickbpf-<uid>/        root's, so that nobody can replace its content
/run/clickbpf-<uid>/bpf     the user's own BPF file system: only root can enter the machine's
/run/clickbpf-<uid>/run     the user's routers
"""

import os
import pwd
from contextlib import suppress
from pathlib import Path


def has_own() -> bool:
    """Whether this process's user has such a folder. A user without one gets the machine's folders, which only admit root."""
    return os.geteuid() != 0 and home(os.geteuid()).is_dir()


def home(uid: int) -> Path:
    return Path(f"/run/clickbpf-{uid}")


def bpffs(uid: int | None = None) -> Path:
    """The mount point of a user's BPF file system (by default this process's user)."""
    return home(os.geteuid() if uid is None else uid) / "bpf"


def run(uid: int | None = None) -> Path:
    """The folder of a user's routers (by default this process's user)."""
    return home(os.geteuid() if uid is None else uid) / "run"


def cure() -> str:
    """The command that gives this process's user a folder."""
    return f"clickbpf grant {_name(os.geteuid())}, as root"


def _name(uid: int) -> str:
    with suppress(KeyError):
        return pwd.getpwuid(uid).pw_name
    return str(uid)
