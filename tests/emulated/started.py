"""Machines in software that have this package and run a script of this folder, with files."""

import importlib.util
import json
import os
import re
import shlex
import stat
import subprocess
import sys
from collections.abc import Iterable, Mapping
from pathlib import Path

import pytest

from clickbpf.compile import Compilation

from .machine import LIBRARIES, STARTED, Emulator, Image, Missing

HERE, ROOT = Path(__file__).parent, Path(__file__).parents[2]
#: What a machine runs besides Python.
PROGRAMS = tuple(f"/usr/sbin/{name}" for name in ("ip", "tc", "bpftool", "xdp-loader", "ethtool"))
PROGRAMS += tuple(f"/usr/bin/{name}" for name in ("ping", "mount", "nsenter"))
#: Libraries that are opened by name.
OPENED = ("libxdp.so.1", "libbpf.so.1", "libpcap.so.0.8", "libcrypto.so.3")
#: What the package imports of others.
PACKAGES = ("lark", "elftools", "pyroute2")
#: Some starts hang in the emulator, before the first process; seconds until that, and for a machine's work.
STARTS, BEGUN, SECONDS = 3, 240, 600
#: The environment variable with which such machines are started: that takes a minute, and more where others are busy.
ASKED_FOR = "CLICKBPF_EMULATED"

asked_for = pytest.mark.skipif(ASKED_FOR not in os.environ, reason=f"boots a machine in software with {ASKED_FOR}=1, as make emulated does")
needed = pytest.mark.needs("root", "clang-19", "xdp-loader", "tc", "apt-get", "dpkg-deb")


def carrier(made: Compilation) -> bytes:
    """An object that brings its runtime: there is no compiler in the machine."""
    return made.build_carrier().read_bytes()


def boot(script: str, folder: Path, files: Mapping[str, bytes], modules: Iterable[str], seconds: float = SECONDS) -> dict:
    """What a script of this folder sees. Skips the test if there can't be such machines here."""
    try:
        emulator = Emulator()
        printed = _printed(emulator, _image(script, files, emulator.modules(*modules)), folder, seconds)
    except Missing as error:
        pytest.skip(str(error))
    found = re.search(r"^RESULT (.*)", printed, re.MULTILINE)
    assert found, printed
    result = json.loads(found[1])
    assert "error" not in result, result["error"]
    return result


def _printed(emulator: Emulator, image: bytes, folder: Path, seconds: float) -> str:
    for _ in range(STARTS):
        try:
            printed = emulator.run(image, folder, seconds, BEGUN)
        except subprocess.TimeoutExpired:
            printed = (folder / "printed").read_text(errors="replace")
            if STARTED in printed:
                pytest.fail(f"the machine was not done in {seconds} seconds: {printed}")
        if STARTED in printed:
            return printed
    pytest.fail(f"the machine did not start {STARTS} times: {printed}")


def _image(script: str, files: Mapping[str, bytes], modules: Iterable[Path]) -> bytes:
    """The machine's file system: Python, this package, and script and files in /t."""
    made, python = Image(), Path(os.path.realpath(sys.executable))
    for folder in ("proc", "sys", "dev", "run", "tmp", "root", "var/tmp"):
        made.add(folder, stat.S_IFDIR | 0o755)
    for program in (*PROGRAMS, python, *(LIBRARIES / library for library in OPENED)):
        made.program(program)
    made.tree(LIBRARIES / "bpf", str(LIBRARIES / "bpf"))
    made.tree(Path(os.__file__).parent, os.path.dirname(os.__file__))
    for folder in ("gen", "bpf", "elements", "userspace"):
        made.tree(ROOT / folder, f"/p/{folder}")
    for number, module in enumerate(modules):
        made.file(module, f"/t/{number:02}-{module.name}")
    for name, content in files.items():
        made.add(f"/t/{name}", stat.S_IFREG | 0o644, content)
    for name in ("inside.py", script):
        made.file(HERE / name, f"/t/{name}")
    for package in PACKAGES:
        made.tree(Path(importlib.util.find_spec(package).origin).parent, f"/p/gen/{package}")
    made.program("/bin/sh")
    flags = [f"export {name}={shlex.quote(value)}" for name, value in os.environ.items() if name.endswith("CFLAGS")]  # the objects'
    lines = ("#!/bin/sh", *flags, f"PYTHONPATH=/p/gen exec {python} /t/{script}", "")
    made.add("/init", stat.S_IFREG | 0o755, "\n".join(lines).encode())
    return made.bytes()
