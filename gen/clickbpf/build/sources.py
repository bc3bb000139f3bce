"""Where the project's C files are: beside gen/ in a checkout, within the package where it is installed."""

from pathlib import Path

_PACKAGE = Path(__file__).resolve().parents[1]


def folder(name: str) -> Path:
    """The folder `name` of the project: "bpf", "elements" or "userspace"."""
    installed = _PACKAGE / name
    return installed if installed.is_dir() else _PACKAGE.parents[1] / name
