"""The log of a router: times, a bounded size, and a reader that goes on."""

import re
import threading
from datetime import datetime

import pytest

from clickbpf import private
from clickbpf.load.files.log import Log, following, lines, older


@pytest.fixture
def path(tmp_path):
    private.write(tmp_path / "log", b"")
    return tmp_path / "log"


def test_every_line_has_its_time(path):
    log = Log(path)
    for part in (b"one\ntwo\nthr", b"ee\n", b"four"):
        log.write(part)
    log.say("the end")
    found = [line.split(" ", 1) for line in lines(path)]
    assert [text for _, text in found] == ["one\n", "two\n", "three\n", "four\n", "the end\n"]
    assert all(datetime.fromisoformat(time).tzinfo for time, _ in found)


def test_there_are_two_files_of_a_bounded_size_for_their_owner_alone(path):
    log = Log(path, limit=1000)
    for number in range(1000):
        log.write(b"%d\n" % number)
    for file in (path, older(path)):
        assert file.stat().st_size < 1100
        assert file.stat().st_mode & 0o777 == 0o600
    numbers = [int(line.split()[1]) for line in lines(path)]
    assert numbers == list(range(numbers[0], 1000)) and len(numbers) > 20


def test_a_log_that_was_removed_is_not_made_again(path):
    log = Log(path)
    path.unlink()
    log.write(b"late\n")
    assert not path.exists()


def test_nothing_is_lost_while_another_router_takes_the_place(tmp_path):
    """The old one's folder is renamed, the new one's gets the name, and the log follows."""
    place, old = tmp_path / "router", tmp_path / "router.old"
    place.mkdir()
    private.write(place / "log", b"")
    log = Log(place / "log")
    log.write(b"before\n")
    place.rename(old)
    log.write(b"between\n")
    place.mkdir()
    log.write(b"soon\n")
    (old / "log").rename(place / "log")
    log.write(b"after\n")
    assert [line.split()[1] for line in lines(place / "log")] == ["before", "between", "soon", "after"]


def test_a_reader_follows_from_file_to_file_until_the_log_is_gone(path):
    log = Log(path, limit=200)
    found = []
    reader = threading.Thread(target=lambda: found.extend(following(path)))
    log.write(b"0\n")
    reader.start()
    while not found:
        pass
    for number in range(1, 8):
        log.write(b"%d\n" % number)
        while len(found) <= number:
            pass
    path.unlink()
    reader.join(30)
    assert [re.sub(r"^\S+ ", "", line) for line in found] == [f"{number}\n" for number in range(8)]
