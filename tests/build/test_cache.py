"""The cache of compiled files: made once, and not for ever."""

import os
import time

import pytest

from clickbpf.build import cache


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
    for age in range(1, 12):
        path = directory / f"{age}.so"
        path.write_bytes(bytes(100))
        os.utime(path, (now - 60 * age,) * 2)
    cache.cached("11.so", lambda path: None)  # used again
    cache.cached("new.so", lambda path: path.write_bytes(bytes(100)))
    assert {path.name for path in directory.glob("*.so")} == {"new.so", "11.so", "1.so", "2.so", "3.so", "4.so"}


def test_nobody_looks_twice_in_an_hour(directory, monkeypatch):
    monkeypatch.setattr(cache, "TOO_MANY", 150)
    for name in "abc":
        cache.cached(f"{name}.so", lambda path: path.write_bytes(bytes(100)))
    assert len(list(directory.glob("*.so"))) == 3
