"""READEACH: many handlers read by one command of a control socket (runtime/protocol.py)."""

import pytest

from clickbpf.runtime import control
from clickbpf.runtime.client import ControlClient
from clickbpf.runtime.control import Serving
from clickbpf.runtime.handlers import Failure, HandlerError
from clickbpf.runtime.listening import ControlServer

from .test_control import TEXT, Raw


@pytest.fixture
def serve(run, tmp_path):
    """Serves a configuration's handlers at a socket; the path of that, and the router."""
    servers = []

    def start(text: str):
        router = run(text)
        servers.append(ControlServer.unix(tmp_path / "control", Serving(router.handlers)))
        return tmp_path / "control", router

    yield start
    for server in servers:
        server.close()


def test_many_handlers_are_read_at_once(serve):
    """Each line has its answer, whatever becomes of the others; values of any bytes; line ends as in commands."""
    client = Raw(serve(TEXT)[0])
    lines = b"q.capacity\ni.data\r\nq.nothing\nnobody.x\nq.reset\n\nq.length\n"
    answers = (
        b"200 1\r\n7"
        b"200 3\r\n\x00\xff\x80"
        b"511 28\r\nNo handler named 'q.nothing'"
        b"510 25\r\nNo element named 'nobody'"
        b"530 28\r\nHandler 'q.reset' write-only"
        b"511 19\r\nNo handler named ''"
        b"200 1\r\n0"
    )
    assert client(b"READEACH %d\n%b" % (len(lines), lines)) == b"200 Read 7 handlers OK\r\n"
    assert client.file.readline() == b"DATA %d\r\n" % len(answers)
    assert client.file.read(len(answers)) == answers
    assert client(b"READ q.capacity\n").startswith(b"200"), "the session goes on"


def test_an_answer_for_many_ends_and_the_client_asks_for_the_rest(serve):
    """Of a value of 400 kB five times as much is wanted as one answer has; the client's own end asks until it has all."""
    path, router = serve(TEXT)
    router.handlers.write("i", "data", "x" * 400_000)
    client = Raw(path)
    assert client(b"READEACH 63\n" + b"i.data\n" * 9) == b"200 Read 3 handlers OK\r\n"
    with ControlClient(path) as other:
        found = list(other.read_each(["i.data", "q.capacity"] * 15))
        assert found == ["x" * 400_000, "7"] * 15
        assert other.read("q.capacity") == "7"


def test_slow_handlers_are_answered_one_after_another(serve, monkeypatch):
    """A client waits for one of them, and not for all: here each takes all the time that a command has."""
    path, _ = serve(TEXT)
    monkeypatch.setattr(control, "SOON", 0.0)
    client = Raw(path)
    assert client(b"READEACH 20\nq.capacity\nq.length\n") == b"200 Read 1 handlers OK\r\n"
    with ControlClient(path) as other:
        assert list(other.read_each(["q.capacity", "q.length"])) == ["7", "0"]


def test_many_names_are_asked_for_in_several_commands(serve):
    """Names of three megabytes altogether, each as long as a line may be; an argument comes with its name, and the names in errors
    are those asked for."""
    path, _ = serve("s :: Script(TYPE PASSIVE, return $(add 1 $1));")
    with ControlClient(path) as client:
        long = "n" * 300_000
        names = ["s.run 41", f"s.{long}", "", *[f"s.{long}"] * 8, "s.run 1"]
        found = list(client.read_each(names))
    assert (found[0], found[-1]) == ("42", "2")
    assert all(isinstance(each, HandlerError) and each.failure is Failure.NO_HANDLER for each in found[1:-1])


def test_who_has_no_rights_reads_no_more_by_many_than_by_one(serve):
    secret = "5ec2e7005ec2e7015ec2e7025ec2e703"
    table = f"10.8.0.0/24 18.26.4.1 1 234 \\<{secret}> \\<112233445566778899aabbccddeeff00> 1 64"
    path, _ = serve(f"Idle -> t :: RadixIPsecLookup({table}); t[0] -> Discard; t[1] -> Discard; t[2] -> Discard;")
    with ControlClient(path) as client:
        assert secret in "".join(client.read_each(["t.config", "t.table"]))
        client.call("RENOUNCE")
        config, refused = client.read_each(["t.config", "t.table"])
    assert secret not in config and "<key>" in config
    assert isinstance(refused, HandlerError) and refused.failure is Failure.PERMISSION
