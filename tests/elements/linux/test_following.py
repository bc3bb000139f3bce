"""LinuxIPLookup follows Linux's changes, also those that come while Linux answers a request for all routes."""

import socket
from collections.abc import Iterator
from contextlib import contextmanager
from select import select
from threading import Event, Thread

import pytest
from tests.attached import compiled, running
from tests.waiting import eventually

from clickbpf.vocabulary.library import Library

ROUTER = "FromDevice(eth0) -> Strip(14) -> CheckIPHeader -> rt :: LinuxIPLookup(eth0) -> Discard; rt[1] -> Discard;"
LONGEST = 1 << 16
#: The router asks for links, rules and routes.
QUESTIONS = 3
#: What the names in the class's module stand for: among them `opened`, which opens sockets.
NAMES = Library.standard().find("LinuxIPLookup").initialise.__globals__
OPENED = NAMES["opened"]


class Between:
    """What is between the router and the socket by which Linux answers: it can hold the answers back."""

    def __init__(self) -> None:
        self.asked, self.held, self._ended = 0, Event(), Event()

    def opened(self, *groups: int) -> socket.socket:
        """A socket as elements open it; one that gets answers is a pair, with this at its other end."""
        if groups:
            return OPENED(*groups)
        end, inside = socket.socketpair(socket.AF_UNIX, socket.SOCK_SEQPACKET)
        self._pass = Thread(target=self._run, args=(inside, OPENED()))
        self._pass.start()
        return end

    def _run(self, inside: socket.socket, linux: socket.socket) -> None:
        with inside, linux:
            while not self._ended.is_set():
                ready, _, _ = select([inside] if self.held.is_set() else [inside, linux], [], [], 0.01)
                for each in ready:
                    self.asked += each is inside
                    (linux if each is inside else inside).send(each.recv(LONGEST))

    @contextmanager
    def entered(self) -> Iterator[None]:
        try:
            yield
        finally:
            self._ended.set()
            self._pass.join()


@pytest.mark.needs("root", "ip", "clang-19")
def test_changes_do_not_wait_while_linux_answers(network, monkeypatch):
    linux, between = network.namespace("router"), Between()
    network.host("host", linux, "eth0", "10.0.0.2/24", "10.0.0.1")
    linux.address("eth0", "10.0.0.1/24")
    monkeypatch.setitem(NAMES, "opened", between.opened)
    with running(linux, compiled(ROUTER, kernel=False)) as attached, between.entered():
        read = attached.runtime.handlers.read
        assert eventually(lambda: "10.0.0.0/24 - 0\n" in read("rt", "table"))
        assert eventually(lambda: between.asked == QUESTIONS * int(read("rt", "resyncs")))
        between.held.set()
        asked, resyncs = between.asked, read("rt", "resyncs")
        linux.ip("nexthop", "add", "id", "7", "via", "10.0.0.2", "dev", "eth0")
        assert eventually(lambda: between.asked > asked)
        linux.route("203.0.113.0/24", "10.0.0.2")
        assert eventually(lambda: read("rt", "lookup", "203.0.113.1") == "0 10.0.0.2")
        assert read("rt", "resyncs") == resyncs, "the answer hasn't come"
        between.held.clear()
        assert eventually(lambda: read("rt", "resyncs") != resyncs)
        assert read("rt", "lookup", "203.0.113.1") == "0 10.0.0.2"
