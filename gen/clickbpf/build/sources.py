"""Finds the project's C files: beside gen/ in a checkout, within the package where clickbpf is installed."""

from pathlib import Path

_PACKAGE = Path(__file__).resolve().parents[1]


def folder(name: str) -> Path:
    """The project's folder "bpf", "elements" or "userspace"."""
    installed = _PACKAGE / name
    return installed if installed.is_dir() else _PACKAGE.parents[1] / name
