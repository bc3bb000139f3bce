"""Which files and folders are trusted: those that nobody but this user and root can have written."""

from __future__ import annotations

import os
import subprocess
import sys
import tempfile
from pathlib import Path

import pytest

from clickbpf import private


@pytest.fixture
def file(tmp_path: Path) -> Path:
    tmp_path.chmod(0o755)
    made = tmp_path / "file"
    made.write_text("")
    made.chmod(0o644)
    return made


@pytest.mark.parametrize("mode", [0o664, 0o646], ids=["its group", "others"])
def test_what_others_can_write(file, mode):
    assert private.doubt(file) is None
    file.chmod(mode)
    assert private.doubt(file) == f"others can write to {file}"


@pytest.mark.parametrize("mode", [0o775, 0o757], ids=["its group", "others"])
def test_a_folder_above(file, mode):
    folder = file.parent / "a" / "b"
    folder.mkdir(parents=True)
    for path in (folder, folder.parent):
        path.chmod(0o755)
    assert private.doubt_on_the_way(folder) is None
    folder.parent.chmod(mode)
    assert private.doubt_on_the_way(folder) == f"others can write to {folder.parent}"
    folder.parent.chmod(mode | 0o1000)
    assert private.doubt_on_the_way(folder) is None, "nobody can rename others' files in a sticky folder"
    folder.chmod(mode | 0o1000)
    assert private.doubt_on_the_way(folder) == f"others can write to {folder}"


@pytest.mark.needs("root")
def test_what_belongs_to_others(file):
    os.chown(file, 12345, -1)
    assert private.doubt(file) == f"{file} is user 12345's"


def test_what_is_a_link_or_nothing(file):
    file.with_name("link").symlink_to(file)
    assert private.doubt(file.with_name("link")) == f"{file.parent}/link is a symbolic link"
    assert private.doubt(file.with_name("none")) is None


#: Prints the doubts about the folders that its arguments name, and after each a newline.
ASKED = """
import sys
import tempfile
from pathlib import Path
from clickbpf import private
for each in sys.argv[1:]:
    print(private.doubt(Path(each)) or "")
"""


def doubts(number: int, *paths: Path) -> list[str]:
    """As a user sees them who is alone in a user namespace, where all others have the number of nobody: root, too."""
    line = ["setpriv", f"--reuid={number}", "--clear-groups", "unshare", "--user", "--map-current-user", sys.executable, "-c", ASKED]
    surroundings = {"PYTHONPATH": ":".join(sys.path), "PATH": os.environ["PATH"]}
    return subprocess.run([*line, *map(str, paths)], capture_output=True, text=True, check=True, env=surroundings).stdout.splitlines()


@pytest.mark.needs("root", "setpriv", "unshare")
def test_users_who_have_no_number_in_a_user_namespace():
    """One of them is root, to whom the machine's first folders belong. Any other file may be anybody's."""
    unknown = "is of a user who isn't known in this user namespace"
    with tempfile.TemporaryDirectory(dir="/tmp") as folder:
        os.chmod(folder, 0o755)
        own, others = Path(folder, "own"), Path(folder, "others")
        for path, owner in ((own, 12345), (others, 12346)):
            path.mkdir(0o755)
            os.chown(path, owner, -1)
        assert doubts(12345, Path("/"), Path("/usr"), own) == ["", "", ""]
        assert doubts(12345, others, Path("/usr/bin")) == [f"{others} {unknown}", f"/usr/bin {unknown}"]
