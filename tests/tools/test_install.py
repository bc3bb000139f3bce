"""What `make install` and `make deb` install is everybody's to run and nobody else's to change, whatever the umask."""

from __future__ import annotations

import os
import shutil
import stat
import subprocess
from pathlib import Path

import pytest

TOOLS = Path(__file__).parents[2] / "tools"
#: Stands for all interpreters: makes an environment, puts a package into it, or prints a page.
PYTHON = """#!/bin/sh
case "$*" in
*venv*) for last; do :; done; mkdir -p "$last/bin" "$last/lib"; cp "$0" "$last/bin/python" ;;
*pip*) echo module >"{home}/lib/module.py" ;;
*compileall*) ;;
*) echo page ;;
esac
"""


@pytest.mark.parametrize("mask", [0o000, 0o002, 0o077])
def test_modes(tmp_path, mask):
    root = tmp_path / "root"
    python = tmp_path / ".venv" / "bin" / "python"
    python.parent.mkdir(parents=True)
    python.write_text(PYTHON.format(home=root / "usr/lib/clickbpf"))
    python.chmod(0o755)
    shutil.copytree(TOOLS, tmp_path / "tools")
    words = ("bash", "tools/install.sh", "install", str(python), "/usr", str(root))
    subprocess.run(words, cwd=tmp_path, check=True, umask=mask)
    installed = [Path(folder) / name for folder, folders, files in os.walk(root / "usr") for name in folders + files]
    assert {"module.py", "clickbpf@.service", "clickbpf.1"} <= {path.name for path in installed}
    for path in installed:
        mode = stat.S_IMODE(path.stat().st_mode) if not path.is_symlink() else 0o755
        assert (mode & 0o022, mode & 0o044) == (0, 0o044), path
