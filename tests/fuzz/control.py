"""What clients of a ControlSocket may say: every command is answered by the protocol, and the next one is understood."""

from __future__ import annotations

import socket
from collections.abc import Iterator
from random import Random
from threading import Thread

from clickbpf.compile import Compilation, check_text
from clickbpf.runtime.control import Conversation, Serving
from clickbpf.runtime.host import Runtime
from clickbpf.vocabulary.library import Library

ROUTER = """
    FromDevice(eth0) -> c :: Counter -> cl :: Classifier(12/0800, -) -> Strip(14) -> rt :: RadixIPLookup(10.0.0.0/8 0, 0/0 1)
    -> q :: Queue -> ToDevice(eth1); rt[1] -> d :: Discard; cl[1] -> d; s :: Script(TYPE PASSIVE, return $(add 1 $1));
    sw :: Switch -> d; Idle -> sw
"""
COMMANDS = (
    "READ", "READDATA", "READUNTIL", "READEACH", "WRITE", "WRITEDATA", "WRITEUNTIL", "CHECKREAD", "CHECKWRITE", "LLRPC", "HELP", "GET",
    "SET", "read", "X", "",
)  # fmt: skip
HANDLERS = (
    "c.count", "c.reset", "c.nope", "list", "config", "rt.add", "rt.lookup", "rt.table", "rt.ctrl", "rt.remove", "q.capacity", "q.reset",
    "s.run", "sw.switch", "nobody.x", ".list", "*.count", "c.", "", "c#0", "c#-2147483648", "c#1073758209", "cl.program", "c.count_call",
    "a/b.c", "s.step",
)  # fmt: skip
ARGUMENTS = (
    "10.0.0.0/8 1", "0", "-1", "5", "99999999999999999999", "END", "x y z", "\0", "%400000000d", "10.0.0.1", "10.0.0.0/33 7",
    "add 1.2.3.4/8 0\nadd x", "é", "\xff", "$(", "1000", "",
)  # fmt: skip
ENDS = ("\r\n", "\n", "\r", "\r\n\r\n", "", " \t\r\n")
#: Seconds for an answer.
PATIENCE = 20


def conversation(random: Random) -> bytes:
    """A few commands; lengths are right or wrong, and data may look like commands."""
    said = b""
    for _ in range(1 + random.randrange(5)):
        words = [random.choice(COMMANDS), random.choice(HANDLERS), random.choice(ARGUMENTS)][: 1 + random.randrange(3)]
        said += " ".join(words).encode("utf-8", "replace") + random.choice(ENDS).encode()
        if random.randrange(3) == 0:
            said += random.getrandbits(8 * 12).to_bytes(12, "big")[: random.randrange(12)]
    return said


def inputs(seed: int) -> Iterator[bytes]:
    random = Random(seed)
    while True:
        yield conversation(random)


class Target:
    """A router in this process, for one client after another."""

    def __init__(self) -> None:
        self.runtime = Runtime(Compilation(check_text(ROUTER, Library.standard())))
        self.runtime.initialise()
        self.serving = Serving(self.runtime.handlers)

    def __enter__(self) -> Target:
        return self

    def __exit__(self, *exception: object) -> None:
        self.runtime.close()

    def try_one(self, said: bytes) -> None:
        """AssertionError if the session doesn't end with its client, or its answers aren't the protocol's."""
        ours, theirs = socket.socketpair()
        failed: list[BaseException] = []

        def serve() -> None:
            try:
                Conversation(theirs, self.serving).run()
            except BaseException as error:  # whatever it is: a session that is left alone reports nothing
                failed.append(error)
            finally:
                theirs.close()

        thread = Thread(target=serve, daemon=True)
        thread.start()
        ours.settimeout(PATIENCE)
        with ours:
            ours.sendall(said)
            ours.shutdown(socket.SHUT_WR)
            heard = b"".join(iter(lambda: ours.recv(65536), b""))
        thread.join(PATIENCE)
        assert not thread.is_alive(), "the session goes on without a client"
        if failed:
            raise failed[0]
        check_answers(heard)


def check_answers(heard: bytes) -> None:
    """A banner, then answers: lines with a code, and after DATA as many bytes as it says."""
    banner, _, rest = heard.partition(b"\r\n")
    assert banner.startswith(b"Click::ControlSocket/1.")
    while rest:
        line, end, rest = rest.partition(b"\r\n")
        assert end, f"a line without an end: {line!r}"
        if line.startswith(b"DATA "):
            length = int(line[5:])
            assert len(rest) >= length
            rest = rest[length:].removeprefix(b"\r\n")
        else:
            assert line[:3].isdigit() and line[3:4] in (b" ", b"-"), line
