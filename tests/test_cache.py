"""The cache of compiled files: made once, not for ever, and by nobody else."""

import os
import stat
import time

import pytest

from clickbpf import cache, private
from clickbpf.errors import ClickError
from clickbpf.lang import grammar


@pytest.fixture
def directory(tmp_path, monkeypatch):
    monkeypatch.setenv("CLICKBPF_CACHE", str(tmp_path))
    return tmp_path


def test_a_file_is_made_once(directory):
    made = []

    def make(path):
        made.append(path)
        path.write_text("content")

    assert cache.cached("a.so", make) == cache.cached("a.so", make) == directory / "a.so"
    assert len(made) == 1 and (directory / "a.so").read_text() == "content"


def test_an_empty_file_is_made_again(directory):
    """A power failure may leave the name of a new file without its content."""
    (directory / "a.so").touch(0o600)
    assert cache.cached("a.so", write("content")).read_text() == "content"


@pytest.mark.parametrize("content", ["", "{", "\0" * 100], ids=["empty", "a part", "zeros"])
def test_spoilt_tables_of_the_parser_are_made_again(directory, content):
    make = grammar.tables.__wrapped__
    tables = make()
    (kept,) = directory.glob("grammar-*.json")
    kept.write_text(content)
    again = make()
    assert again.keys() == tables.keys() and len(again["states"]) == len(tables["states"])


@pytest.mark.parametrize("folder", ["", "bpf"])
def test_a_folder_that_somebody_else_makes_first(tmp_path, monkeypatch, folder):
    """Between the look whether it is there and the attempt to make it."""
    monkeypatch.setenv("CLICKBPF_CACHE", str(tmp_path / "cache"))
    make_folder = private.make_folder

    def too_late(path):
        make_folder(path)
        if path == tmp_path / "cache" / folder:
            path.chmod(0o777)
            raise FileExistsError

    monkeypatch.setattr(private, "make_folder", too_late)
    with pytest.raises(ClickError, match="others can write to"):
        cache.cached(os.path.join(folder, "a.so"), write("content"))


def test_what_fails_leaves_nothing(directory):
    def fail(path):
        path.write_text("half")
        raise ValueError

    with pytest.raises(ValueError):
        cache.cached("a.so", fail)
    assert [path for path in directory.iterdir() if path.name != ".looked"] == []


def test_files_that_nobody_used_go_first(directory, monkeypatch):
    monkeypatch.setattr(cache, "TOO_MANY", 1000)
    now = time.time()
    (directory / "bpf").mkdir()
    for age in range(1, 12):
        path = directory / ("bpf" if age % 2 else "") / f"{age}.so"
        path.write_bytes(bytes(100))
        os.utime(path, (now - 60 * age,) * 2)
    cache.cached("bpf/11.so", lambda path: None)  # used again
    cache.cached("new.so", lambda path: path.write_bytes(bytes(100)))
    assert {path.name for path in directory.rglob("*.so")} == {"new.so", "11.so", "1.so", "2.so", "3.so", "4.so"}


def test_nobody_looks_twice_in_an_hour(directory, monkeypatch):
    monkeypatch.setattr(cache, "TOO_MANY", 150)
    for name in "abc":
        cache.cached(f"{name}.so", lambda path: path.write_bytes(bytes(100)))
    assert len(list(directory.glob("*.so"))) == 3


def write(text: str):
    return lambda path: path.write_text(text)


@pytest.mark.parametrize("mask", [0, 0o022, 0o077])
def test_only_the_owner_can_write_whatever_the_umask(tmp_path, monkeypatch, mask):
    monkeypatch.setenv("CLICKBPF_CACHE", str(tmp_path / "own"))
    before = os.umask(mask)
    try:
        cache.cached("bpf/a.o", write("content"))
        assert cache.cached("bpf/a.o", write("again")).read_text() == "content"
    finally:
        os.umask(before)
    modes = [stat.S_IMODE(path.lstat().st_mode) for path in (tmp_path / "own", *(tmp_path / "own").rglob("*"))]
    assert all(mode & 0o022 == 0 for mode in modes)


@pytest.mark.parametrize("folder", ["", "bpf"])
def test_folders_that_others_can_write_to(directory, folder):
    """What is there already, under the right name, is somebody's code."""
    planted = directory / folder / "a.so"
    planted.parent.mkdir(exist_ok=True)
    planted.write_text("planted")
    planted.parent.chmod(0o777)
    with pytest.raises(ClickError, match="others can write to"):
        cache.cached(str(planted.relative_to(directory)), write("content"))


def test_a_file_that_others_can_write_to_is_made_again(directory):
    (directory / "a.so").write_text("planted")
    (directory / "a.so").chmod(0o666)
    assert cache.cached("a.so", write("content")).read_text() == "content"


@pytest.mark.needs("root")
def test_folders_and_files_of_another_user(tmp_path, monkeypatch):
    theirs = tmp_path / "theirs"
    (theirs / "clickbpf").mkdir(parents=True)
    (theirs / "clickbpf" / "a.so").write_text("planted")
    for path in (theirs / "clickbpf" / "a.so", theirs):
        os.chown(path, 65534, 65534)
    for folder in (theirs, theirs / "clickbpf"):  # the owner of a folder can replace folders in it
        monkeypatch.setenv("CLICKBPF_CACHE", str(folder))
        with pytest.raises(ClickError, match="is nobody's"):
            cache.cached("a.so", write("content"))
    os.chown(theirs, 0, 0)
    assert cache.cached("a.so", write("content")).read_text() == "content"


@pytest.mark.needs("root")
def test_the_home_that_sudo_leaves_is_not_used(tmp_path, monkeypatch):
    """Root's cache belongs to root, even with the environment of the user who called sudo."""
    os.chown(tmp_path, 65534, 65534)
    monkeypatch.delenv("CLICKBPF_CACHE", raising=False)
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path))
    assert not cache.cache_directory().is_relative_to(tmp_path)


def test_what_killed_processes_have_left_is_removed(directory):
    old, young = directory / ".new-old", directory / ".new-young"
    for folder in (old, young):
        folder.mkdir()
        (folder / "part.o").write_text("half")
    os.utime(old, (0, 0))
    cache.cached("a.so", write("content"))
    assert not old.exists() and (young / "part.o").exists()


def test_a_folder_that_is_taken_from_again_is_one(monkeypatch, tmp_path):
    """As by a service whenever another router takes its router's place: each look-up asks all of them."""
    monkeypatch.setattr(cache, "_carried", [])
    for folder in ("a", "b", "b", "a"):
        cache.take_from(tmp_path / folder)
    assert cache._carried == [tmp_path / "a", tmp_path / "b"]
