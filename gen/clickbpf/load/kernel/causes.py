"""Explains system errors in plain words: the cause, and what to do."""

import errno
from collections.abc import Iterator
from contextlib import contextmanager

from clickbpf.errors import ClickError
from clickbpf.load.kernel.libbpf import BpfError

#: errno -> cause, advice; for calls that have no better explanation.
CAUSES = {
    errno.EPERM: (
        "the kernel allows it only to privileged processes",
        "run as root, or with CAP_BPF, CAP_NET_ADMIN, CAP_PERFMON and CAP_NET_RAW",
    ),
    errno.EACCES: ("permission denied", "run as root"),
    errno.ENOMEM: (
        "the kernel has no memory for it",
        "free some, or make the configuration's tables smaller; it may be the control group's memory limit",
    ),
    errno.ENOSPC: ("no space is left", "remove what is not needed from /sys/fs/bpf and /run"),
    errno.E2BIG: ("it is too large for this kernel", "make the configuration's tables smaller"),
    errno.EMFILE: ("this process can't open more files", "raise the limit: ulimit -n 1024"),
    errno.ENFILE: ("too many files are open", None),
    errno.EROFS: ("the file system is read-only", None),
}


def explain(error: OSError | BpfError, what: str) -> ClickError:
    """The error that `what` failed, with the cause by the kernel's error number."""
    cause, hint = CAUSES.get(error.errno, (None, None))
    detail = f"{what}: {cause} ({error})" if cause else f"{what}: {error}"
    log = [line.removeprefix("libbpf: ") for line in getattr(error, "log", "").splitlines()[-2:]]
    return ClickError("".join([detail.replace("error: ", ""), *(f"\n    {line}" for line in log)]), hint=hint)


@contextmanager
def explained(what: str) -> Iterator[None]:
    """Turn system errors into ClickErrors that `what` failed, with the cause."""
    try:
        yield
    except (OSError, BpfError) as error:
        raise explain(error, what) from None
