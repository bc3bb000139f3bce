"""Handlers, and the control socket: the protocol as Click's ControlSocket manual describes it."""

import os
import socket
import threading
from collections.abc import Iterator
from contextlib import closing, suppress
from pathlib import Path

import pytest
from tests.waiting import eventually

from clickbpf.errors import ClickError
from clickbpf.runtime.client import ControlClient
from clickbpf.runtime.control import Serving
from clickbpf.runtime.handlers import Failure, HandlerError
from clickbpf.runtime.listening import MOST_CLIENTS, ControlServer

TEXT = "i :: InfiniteSource(LIMIT 0, DATA \\<00 ff 80>) -> q :: Queue(7) -> Discard; Idle -> n :: Null -> Idle;"


@pytest.fixture
def router(run):
    return run(TEXT)


@pytest.fixture
def server(router, tmp_path):
    server = ControlServer.unix(tmp_path / "control", Serving(router.handlers))
    yield tmp_path / "control"
    server.close()


@pytest.fixture
def client(server) -> "Raw":
    return Raw(server)


class Raw:
    """A client that sends bytes and reads lines; it has read the banner."""

    def __init__(self, path: Path):
        self.socket = socket.socket(socket.AF_UNIX)
        self.socket.settimeout(60)
        self.socket.connect(str(path))
        self.file = self.socket.makefile("rb")
        self.banner = self.file.readline()

    def __call__(self, text: bytes) -> bytes:
        self.socket.sendall(text)
        return self.file.readline()


def test_an_argument_for_reading_is_short(run, tmp_path):
    """The handler looks at all of it while others wait."""
    router = run("s :: Script(TYPE PASSIVE, return 7);")
    with closing(ControlServer.unix(tmp_path / "control", Serving(router.handlers))), ControlClient(tmp_path / "control") as client:
        with pytest.raises(HandlerError, match="argument too long, at most 65536 bytes"):
            client.read("s.run", "x" * 65537)
        assert client.read("s.run", "x" * 65536) == "7"


def test_every_element_has_the_default_handlers(router):
    read = router.handlers.read
    assert [read("q", name) for name in ("name", "class", "config")] == ["q", "Queue", "7"]
    assert read("q", "ports") == "1 input\npush\t-\ti [0]\n1 output\npull\t-\t[0] Discard@3\n"
    assert read("n", "ports").startswith("1 input\npush~\t-\tIdle@4 [0]\n1 output\npush~\t-\t")
    assert {"name\tr", "capacity\trw", "reset\tw"} <= set(read("q", "handlers").splitlines())


def test_router_has_its_own_handlers(router):
    read = router.handlers.read
    assert read("", "list").splitlines() == ["6", "i", "q", "Discard@3", "Idle@4", "n", "Idle@6"]
    assert "q :: Queue(7);" in read("", "flatconfig")
    assert "Queue" in read("", "classes").splitlines()
    assert {"stop\tw", "list\tr"} <= set(read("", "handlers").splitlines())
    router.handlers.write("", "stop", "")
    assert router.runs == 0


@pytest.mark.parametrize(
    "element, handler, failure",
    [("x", "name", Failure.NO_ELEMENT), ("q", "nothing", Failure.NO_HANDLER), ("q", "reset", Failure.PERMISSION)],
)
def test_handlers_that_can_not_be_read(router, element, handler, failure):
    with pytest.raises(HandlerError) as caught:
        router.handlers.read(element, handler)
    assert caught.value.failure is failure


def test_elements_by_number_count_from_one(router):
    assert router.handlers.split("2.length") == ("q", "length")
    with pytest.raises(HandlerError):
        router.handlers.split("7.length")


def test_banner_and_line_ends(client):
    assert client.banner == b"Click::ControlSocket/1.3\r\n"
    for end in (b"\r\n", b"\n", b"\r"):
        assert client(b"READ q.capacity" + end) == b"200 Read handler 'q.capacity' OK\r\n"
        assert client.file.readline() == b"DATA 1\r\n"
        assert client.file.read(1) == b"7"


def test_binary_data_passes_unchanged(client):
    assert client(b"read i.data\n").startswith(b"200")
    assert client.file.readline() == b"DATA 3\r\n"
    assert client.file.read(3) == b"\x00\xff\x80"
    assert client(b"WRITEDATA i.data 4\n\r\n\xfe\x00").startswith(b"200")
    assert client(b"GET i.data\n").startswith(b"200")
    assert (client.file.readline(), client.file.read(4)) == (b"DATA 4\r\n", b"\r\n\xfe\x00")


@pytest.mark.parametrize(
    "command, answer",
    [
        (b"WRITE q.capacity 9\n", b"200"),
        (b"WRITE q.capacity nine\n", b"520"),
        (b"WRITEDATA q.capacity 2\n12", b"200"),
        (b"WRITEUNTIL q.capacity END\n 12 \nEND  \n", b"200"),
        (b"SET q.capacity 3\n", b"200"),
        (b"READUNTIL q.capacity\n\n", b"200"),
        (b"READDATA q.capacity 0\n", b"200"),
        (b"READEACH 0\n", b"200 Read 0 handlers OK"),
        (b"READEACH\n", b"500"),
        (b"READEACH q.capacity\n", b"500"),
        (b"CHECKREAD q.capacity\n", b"200 Read handler 'q.capacity' OK"),
        (b"CHECKWRITE q.capacity\n", b"200 Write handler 'q.capacity' OK"),
        (b"CHECKREAD q.reset\n", b"511"),
        (b"CHECKWRITE q.length\n", b"511"),
        (b"READ x.y\n", b"510"),
        (b"READ q.y\n", b"511"),
        (b"READ y\n", b"511"),
        (b"READ q.reset\n", b"530"),
        (b"WRITE q.length\n", b"530"),
        (b"READ\n", b"500"),
        (b"WRITEDATA q.capacity x\n", b"500"),
        (b"DANCE\n", b"501"),
        (b"QUIT\n", b"200 Goodbye!"),
        (b"HELP\n", b"200-"),
    ],
)
def test_answers(client, command, answer):
    assert client(command).startswith(answer)


def test_complaints_of_a_handler_that_does_not_fail_are_an_error_to_clients(run, tmp_path):
    """As Click's ControlSocket answers; other callers have the value."""
    router = run("s :: Script(TYPE PASSIVE, read nosuch, return 42);")
    server = ControlServer.unix(tmp_path / "control", Serving(router.handlers))
    client = Raw(tmp_path / "control")
    assert client(b"READ s.run\n") == b"590-Read handler 's.run' error:\r\n"
    assert client.file.readline() == b"590 no 'nosuch' read handler\r\n"
    assert client(b"WRITE s.run\n") == b"520-Write handler 's.run' error:\r\n"
    server.close()


@pytest.mark.parametrize(
    "command, answer, data",
    [
        (b"LLRPC s#4004C005\n", b"200", b"\x01\0\0\0"),
        (b"LLRPC s#80044006 4\n\0\0\0\0", b"200", b""),
        (b"LLRPC s#80044006 4\n\x02\0\0\0", b"522", None),
        (b"LLRPC s#80044006 3\n\0\0\0", b"522", None),
        (b"LLRPC s#4004C063\n", b"522", None),
        (b"LLRPC s#20000005\n", b"501", None),
        (b"LLRPC s#xyz\n", b"500", None),
        (b"LLRPC t#4004C005\n", b"510", None),
    ],
)
def test_llrpcs_of_a_switch(run, tmp_path, command, answer, data):
    """Numbers of Click's <click/llrpc.h>: GET_SWITCH and SET_SWITCH, four bytes out and in."""
    router = run("Idle -> s :: Switch(1) -> Idle; s[1] -> Idle;")
    server = ControlServer.unix(tmp_path / "control", Serving(router.handlers))
    client = Raw(tmp_path / "control")
    assert client(command).startswith(answer)
    if data is not None:
        assert client.file.readline() == b"DATA %d\r\n" % len(data)
        assert client.file.read(len(data)) == data
    server.close()


def test_what_a_handler_says_stands_below_its_name(client):
    assert client(b"WRITE q.capacity nine\n") == b"520-Write handler 'q.capacity' error:\r\n"
    assert client.file.readline().startswith(b"520 ")


#: One command with its data, as the manual page says.
LARGEST = 1 << 20


def flood(client: Raw, part: bytes, parts: int) -> bytes:
    """All that is answered to a command that goes on and on; the server need not take it all."""
    with suppress(ConnectionError):
        for _ in range(parts):
            client.socket.sendall(part)
    return client.file.readline()


@pytest.mark.parametrize(
    "begin, part",
    [
        (b"READUNTIL q.capacity END\n", b"x" * 1023 + b"\n"),
        (b"READUNTIL q.capacity END\n", b"x" * 1024),
        (b"READUNTIL q.capacity END\n", b"\n" * 1024),
        (b"READ q.capacity ", b"x" * 1024),
        (b"READDATA q.capacity %d\n" % LARGEST, b"x" * 1024),
        (b"READDATA q.capacity " + b"9" * 5000 + b"\n", b"x" * 1024),
        (b"LLRPC q#C004C001 4000000000\n", b"x" * 1024),
        (b"LLRPC q#C004C001 " + b"9" * 5000 + b"\n", b"x" * 1024),
    ],
    ids=["lines", "a line", "empty lines", "a command", "data", "digits", "LLRPC", "LLRPC's digits"],
)
def test_a_command_has_a_limit_and_more_is_refused_in_the_protocol(client, begin, part):
    client.socket.sendall(begin)
    assert flood(client, part, 2 * LARGEST // len(part)) == b"500 Syntax error: a command has at most 1048576 bytes, with its data\r\n"
    assert client.file.read() == b"", "nothing of it is taken for commands"


def test_the_limit_is_of_each_command(client):
    for _ in range(5):
        assert client(b"WRITEDATA i.data %d\n" % (LARGEST // 2) + b"x" * (LARGEST // 2)).startswith(b"200")


def test_silent_clients_keep_nobody_out(server):
    """However many clients there are, the documented number is served, and a new one always is."""
    silent = []
    for _ in range(2 * MOST_CLIENTS):
        silent.append(Raw(server))
        assert silent[-1].banner.startswith(b"Click::")
    last = Raw(server)
    assert last(b"READ q.capacity\n").startswith(b"200")
    eventually(lambda: sum(thread.name == "control" for thread in threading.enumerate()) <= MOST_CLIENTS + 2)
    assert silent[0].file.readline() == b"", "the one that was silent for longest is gone"


def test_without_threads_for_a_client_the_next_one_is_served(server, monkeypatch):
    """And the client that none is left for is not kept waiting."""
    start = threading.Thread.start

    def scarce(thread: threading.Thread) -> None:
        if thread.name == "control":
            raise RuntimeError("can't start new thread")
        start(thread)

    with monkeypatch.context() as patched:
        patched.setattr(threading.Thread, "start", scarce)
        assert Raw(server).banner == b""
    assert Raw(server).banner.startswith(b"Click::")


@pytest.fixture
def busy(tmp_path) -> Iterator[Path]:
    """A socket whose process no longer accepts clients, since the limit of waiting ones is reached."""
    path, waiting = tmp_path / "busy", []
    with socket.socket(socket.AF_UNIX) as listening:
        listening.bind(str(path))
        listening.listen(0)
        with suppress(BlockingIOError):
            while True:
                waiting.append(socket.socket(socket.AF_UNIX))
                waiting[-1].setblocking(False)
                waiting[-1].connect(str(path))
        yield path
    for each in waiting:
        each.close()


def test_the_place_of_a_router_that_is_too_busy_is_not_free(router, busy):
    with pytest.raises(ClickError, match="cannot listen on .*busy: Address already in use"):
        ControlServer.unix(busy, Serving(router.handlers))
    assert busy.is_socket()


def test_a_client_has_patience_from_the_beginning(busy):
    with pytest.raises(ClickError, match="no router answers"):
        ControlClient(busy, 0.1)


def test_quit_closes(client):
    client(b"QUIT\r\n")
    assert client.file.read() == b""


def test_read_only_server(router, tmp_path):
    server = ControlServer.unix(tmp_path / "control", Serving(router.handlers, read_only=True))
    client = Raw(tmp_path / "control")
    assert client(b"WRITE q.capacity 9\n").startswith(b"530")
    assert client(b"CHECKWRITE q.capacity\n").startswith(b"530")
    assert client(b"CHECKREAD q.capacity\n").startswith(b"200")
    server.close()
    assert not (tmp_path / "control").exists()


def test_client_and_server(server):
    with ControlClient(server) as client:
        assert client.read("q.capacity") == "7"
        client.write("q.capacity", "12")
        assert client.read("q.capacity") == "12"
        assert client.read("i.data").encode("utf-8", "surrogateescape") == b"\x00\xff\x80"
        with pytest.raises(HandlerError) as caught:
            client.write("q.capacity", "twelve")
        assert caught.value.failure is Failure.FAILED
        assert "twelve" in caught.value.message


def test_nobody_listens(tmp_path):
    with pytest.raises(ClickError, match="no router answers"):
        ControlClient(tmp_path / "nothing")


def test_socket_of_a_dead_process_is_replaced_and_of_a_living_one_not(router, tmp_path):
    path = tmp_path / "control"
    dead = socket.socket(socket.AF_UNIX)
    dead.bind(str(path))
    dead.close()
    server = ControlServer.unix(path, Serving(router.handlers))
    with pytest.raises(ClickError, match="cannot listen"):
        ControlServer.unix(path, Serving(router.handlers))
    server.close()


def test_element_listens_on_tcp(run):
    router = run("c :: ControlSocket(TCP, 0, LOCALHOST true); Idle -> q :: Queue(5) -> Discard;")
    port = int(router.handlers.read("c", "port"))
    with ControlClient(("127.0.0.1", port)) as client:
        assert client.read("q.capacity") == "5"
    router.close()
    with pytest.raises(ClickError):
        ControlClient(("127.0.0.1", port))


def test_element_takes_the_next_free_port(run):
    first = run("c :: ControlSocket(TCP, 0, LOCALHOST true);")
    taken = first.handlers.read("c", "port")
    second = run(f"c :: ControlSocket(TCP, {taken}+, LOCALHOST true);")
    assert int(second.handlers.read("c", "port")) > int(taken)
    with pytest.raises(ClickError, match="cannot listen"):
        run(f"c :: ControlSocket(TCP, {taken}, LOCALHOST true);")


def test_private_functions_are_not_served(run, tmp_path):
    run(f"s :: Script(TYPE PASSIVE); ControlSocket(UNIX, {tmp_path}/control);")
    with ControlClient(tmp_path / "control") as client:
        assert client.read("s.add", "1 2") == "3"
        with pytest.raises(HandlerError) as caught:
            client.read("s.cat", "/etc/hostname")
    assert caught.value.failure is Failure.NO_HANDLER


def test_a_proxy_is_asked_for_all_handlers_and_has_to_be_there(run, tmp_path):
    text = f"p :: Script(TYPE PROXY, return $0); ControlSocket(UNIX, {tmp_path}/control, PROXY {{}});"
    run(text.format("p"))
    with ControlClient(tmp_path / "control") as client:
        assert client.read("anybody.anything") == "anybody.anything"
    run(f"q :: Queue(7); Idle -> q -> Discard; ControlSocket(UNIX, {tmp_path}/other, PROXY q);")
    with ControlClient(tmp_path / "other") as client:
        assert client.read("capacity") == "7"
        with pytest.raises(HandlerError, match="No proxied handler named 'q.capacity'"):
            client.read("q.capacity")
    with pytest.raises(ClickError, match="PROXY: no element named 'q'"):
        run(text.format("q"))


@pytest.mark.parametrize("name", ["", " ", "q.capacity\r\nWRITE q.capacity 3", "q capacity", "q.capacity\0"])
def test_a_client_sends_no_name_that_would_be_more_than_one(server, router, name):
    with ControlClient(server) as client:
        for call in (client.read, client.write, lambda text: client.allows(text, False)):
            with pytest.raises(ClickError, match="can't be the name of a handler"):
                call(name)
        assert client.read("q.capacity") == "7"
    assert router.handlers.read("q", "capacity") == "7"


def test_a_client_sends_a_name_of_any_bytes(server):
    with ControlClient(server) as client, pytest.raises(HandlerError, match="No element named"):
        client.read(os.fsdecode(b"caf\xe9.x"))
