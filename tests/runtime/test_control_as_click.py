"""Control sockets as Click's: clients that end, in the middle of a command or after it, and writes that are doubtful."""

import socket
from contextlib import closing

import pytest

from clickbpf.load.access.access import Access
from clickbpf.load.files import places
from clickbpf.load.process import service
from clickbpf.runtime.client import ControlClient
from clickbpf.runtime.control import Serving
from clickbpf.runtime.listening import ControlServer
from clickbpf.runtime.stream import Stream

from .test_control import TEXT, Raw

#: What Click 2.1 answers to a client that says this and no more.
LAST_WORDS = [
    (b"QUIT now\r\nREAD q.capacity\r\n", b"500 Bad command syntax\r\n200 Goodbye!\r\n"),
    (b"READ q.capacity", b"200 Read handler 'q.capacity' OK\r\nDATA 1\r\n7"),
    (b"READ q.capacity\nREADDATA q.capacity 2", b"200 Read handler 'q.capacity' OK\r\nDATA 1\r\n7500 Not enough data\r\n"),
    (b"WRITEDATA q.capacity 5\r\n", b"500 Not enough data\r\n"),
    (
        b"READ q.capacity x\nREAD q.no.such\n",
        b"590-Read handler 'q.capacity' error:\r\n590 read handler 'q.capacity' does not take parameters\r\n"
        b"511 No handler named 'q.no.such'\r\n",
    ),
    (b"READUNTIL s.run END\r\na\r\nb\n\rc\rEND\r\n", b"200 Read handler 's.run' OK\r\nDATA 8\r\na\r\nb\n\rc\r"),
    (b"READUNTIL s.run END\r\na  \r\nEND  \r\n", b"200 Read handler 's.run' OK\r\nDATA 5\r\na  \r\n"),
    (b"READUNTIL s.run\r\na\r\n\r\n", b"200 Read handler 's.run' OK\r\nDATA 3\r\na\r\n"),
    (
        b"WRITEUNTIL i.data END\na\r\nb\rc\nEND\r\nREAD i.data\n",
        b"200 Write handler 'i.data' OK\r\n200 Read handler 'i.data' OK\r\nDATA 7\r\na\r\nb\rc\n",
    ),
    # Click answers the same, and then takes the data that is too short for commands.
    (b"WRITEDATA q.capacity 99\r\nREAD q.capacity\r\n", b"500 Not enough data\r\n"),
    (b"READUNTIL s.run END\r\nREAD q.capacity\r\nEND", b"500 Not enough data\r\n"),
    (b"LLRPC q#4004C005 4\n12", b"500 Not enough data\r\n"),
    (b"READEACH 40\nq.capacity\n", b"500 Not enough data\r\n"),
]


def test_what_a_client_says_before_it_ends(run, tmp_path):
    router = run(f"{TEXT} s :: Script(TYPE PASSIVE, return $args);")
    with closing(ControlServer.unix(tmp_path / "control", Serving(router.handlers))):
        for words, answer in LAST_WORDS:
            client = Raw(tmp_path / "control")
            client.socket.sendall(words)
            client.socket.shutdown(socket.SHUT_WR)
            assert client.file.read() == answer, words


def test_warnings_about_arguments_go_to_who_wrote_them(run, tmp_path, capfd, monkeypatch):
    """As Click 2.1 answers; with nobody to tell, the router's own messages say it."""
    router = run("Idle -> c :: Classifier(12/0800, -) -> Discard; c[1] -> Discard;")
    with closing(ControlServer.unix(tmp_path / "control", Serving(router.handlers))):
        client = Raw(tmp_path / "control")
        assert client(b"WRITE c.config -, 12/0800\r\n") == b"220-Write handler 'c.config' OK with warnings:\r\n"
        assert client.file.readline() == b"220 warning: output 1 matches no packets\r\n"
        assert router.handlers.read("c", "config") == "-, 12/0800"
        with ControlClient(tmp_path / "control") as other:
            assert other.write("c.config", "12/0800 12/0801, -") == ["output 0 matches no packets"]
            assert other.write("c.config", "12/0800, -") == []
        assert capfd.readouterr().err == ""
        monkeypatch.setattr(places.RunFolder, "of", lambda name: places.RunFolder(tmp_path))
        monkeypatch.setattr(service, "alive", lambda folder: True)
        (tmp_path / "router.o").touch()
        with Access("router") as loaded:
            loaded.write("c.config", "-, 12/0800")
    assert capfd.readouterr().err == "warning: c.config: output 1 matches no packets\n"
    router.handlers.write("c", "config", "-, 12/0800")
    assert capfd.readouterr().err == "warning: c: output 1 matches no packets\n"


def test_an_answer_without_an_end_is_none():
    """A router that was killed in the middle of an answer has not answered."""
    ours, theirs = socket.socketpair()
    with ours, theirs:
        theirs.sendall(b"200 Write")
        theirs.shutdown(socket.SHUT_WR)
        with pytest.raises(EOFError):
            Stream(ours).line()
