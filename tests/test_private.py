"""Which files and folders are trusted: those that nobody but this user and root can have written."""

import ctypes
import json
import os
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
    assert private.why_untrusted(file) is None
    file.chmod(mode)
    assert private.why_untrusted(file) == f"others can write to {file}"


@pytest.mark.parametrize("mode", [0o775, 0o757], ids=["its group", "others"])
def test_a_folder_above(file, mode):
    folder = file.parent / "a" / "b"
    folder.mkdir(parents=True)
    for path in (folder, folder.parent):
        path.chmod(0o755)
    assert private.why_path_untrusted(folder) is None
    folder.parent.chmod(mode)
    assert private.why_path_untrusted(folder) == f"others can write to {folder.parent}"
    folder.parent.chmod(mode | 0o1000)
    assert private.why_path_untrusted(folder) is None, "nobody can rename others' files in a sticky folder"
    folder.chmod(mode | 0o1000)
    assert private.why_path_untrusted(folder) == f"others can write to {folder}"


@pytest.mark.needs("root")
def test_what_belongs_to_others(file):
    os.chown(file, 12345, -1)
    assert private.why_untrusted(file) == f"{file} is user 12345's"


def test_what_is_a_link_or_nothing(file):
    file.with_name("link").symlink_to(file)
    assert private.why_untrusted(file.with_name("link")) == f"{file.parent}/link is a symbolic link"
    assert private.why_untrusted(file.with_name("none")) is None


#: Of <linux/prctl.h> and <linux/sched.h>.
PR_SET_DUMPABLE, CLONE_NEWUSER = 4, 0x10000000


def doubts(number: int, *paths: Path) -> list[str | None]:
    """As a user sees them who is alone in a user namespace, where all others have the number of nobody: root, too."""
    reading, writing = os.pipe()
    child = os.fork()
    if child == 0:  # no other interpreter, since the user may not see the checkout
        try:
            libc = ctypes.CDLL(None)
            os.setgroups([])
            os.setresuid(number, number, number)
            libc.prctl(PR_SET_DUMPABLE, 1)  # so that the files in /proc are this user's
            libc.unshare(CLONE_NEWUSER)
            Path("/proc/self/uid_map").write_text(f"{number} {number} 1")
            os.write(writing, json.dumps([private.why_untrusted(path) for path in paths]).encode())
        finally:
            os._exit(0)
    os.close(writing)
    os.waitpid(child, 0)
    with open(reading) as answer:
        return json.load(answer)


@pytest.mark.needs("root")
def test_users_who_have_no_number_in_a_user_namespace():
    """One of them is root, to whom the machine's first folders belong. Any other file may be anybody's."""
    unknown = "is of a user who isn't known in this user namespace"
    with tempfile.TemporaryDirectory(dir="/tmp") as folder:
        os.chmod(folder, 0o755)
        own, others = Path(folder, "own"), Path(folder, "others")
        for path, owner in ((own, 12345), (others, 12346)):
            path.mkdir(0o755)
            os.chown(path, owner, -1)
        assert doubts(12345, Path("/"), Path("/usr"), own) == [None, None, None]
        assert doubts(12345, others, Path("/usr/bin")) == [f"{others} {unknown}", f"/usr/bin {unknown}"]


def test_an_interrupt_after_a_file_was_replaced_stays_one(file, monkeypatch):
    replace = os.replace

    def interrupted(new: str, path: Path) -> None:
        replace(new, path)
        raise KeyboardInterrupt

    monkeypatch.setattr(os, "replace", interrupted)
    with pytest.raises(KeyboardInterrupt):
        private.write(file, b"new")
    assert file.read_bytes() == b"new" and [each.name for each in file.parent.iterdir()] == ["file"]


def test_the_text_of_a_file_that_may_be_missing(file):
    assert private.read(file) == ""
    file.unlink()
    assert private.read(file) is None
