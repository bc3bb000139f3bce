"""`clickbpf ui` in a process of its own, and what a browser would ask it."""

import contextlib
import http.client
import json
import socket
import subprocess
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any
from urllib.parse import urlencode, urlsplit

import pytest
from tests import commands
from tests.cli.conftest import OWN, execute
from tests.cli.conftest import net as net
from tests.cli.conftest import router as router
from tests.waiting import eventually

from clickbpf.testing.netns import Namespace

PATIENCE = 60.0


@dataclass
class Answer:
    status: int
    headers: http.client.HTTPMessage
    body: bytes

    @property
    def json(self) -> Any:
        assert self.status == 200, self.body
        return json.loads(self.body)

    @property
    def errors(self) -> list[dict]:
        assert self.status == 422, self.body
        return json.loads(self.body)["errors"]


@dataclass
class Page:
    """A server, and a browser's cookies."""

    process: subprocess.Popen
    address: str
    cookie: str = field(init=False)

    def __post_init__(self):
        self.port = urlsplit(self.address).port
        self.token = urlsplit(self.address).query.removeprefix("token=")
        self.cookie = self.enter(self.token).headers["Set-Cookie"].partition(";")[0]

    def enter(self, token: str) -> Answer:
        return self.request("GET", f"/?token={token}")

    def request(self, method: str, path: str, body: Any = None, **headers: str | None) -> Answer:
        """As sent, with these headers besides."""
        connection = http.client.HTTPConnection("127.0.0.1", self.port, timeout=PATIENCE)
        text = json.dumps(body) if body is not None else None
        connection.request(method, path, text, {name.replace("_", "-"): value for name, value in headers.items() if value is not None})
        found = connection.getresponse()
        answer = Answer(found.status, found.headers, found.read())
        connection.close()
        return answer

    def get(self, path: str, **values: Any) -> Answer:
        words = urlencode(values, doseq=True)
        return self.request("GET", f"/api/{path}{'?' if words else ''}{words}", Cookie=self.cookie)

    def post(self, path: str, **body: Any) -> Answer:
        own = f"http://127.0.0.1:{self.port}"
        return self.request("POST", f"/api/{path}", body, Cookie=self.cookie, Origin=own, Content_Type="application/json")

    def measurements(self, number: int) -> Iterator[dict]:
        """What a viewer of a router knows after each message, until this is closed."""
        rows: dict[str, dict[int, list]] = {}
        with contextlib.closing(self.messages(number)) as messages:
            for message in messages:
                if message.get("whole", True):
                    rows = {"elements": {}, "lines": {}}
                for kind, known in rows.items():
                    known.update({row[0]: row for row in message.get(kind, ())})
                yield {**message, **{kind: list(known.values()) for kind, known in rows.items()}}

    def messages(self, number: int) -> Iterator[dict]:
        """What is sent to a viewer of a router, until this is closed."""
        connection = http.client.HTTPConnection("127.0.0.1", self.port, timeout=PATIENCE)
        connection.request("GET", f"/api/subjects/{number}/live", headers={"Cookie": self.cookie})
        found = connection.getresponse()
        assert found.status == 200, found.read()
        try:
            while line := found.readline():
                if line.startswith(b"data: "):
                    yield json.loads(line[6:])
        finally:
            connection.close()


@pytest.fixture
def serve() -> Iterator[Callable[..., Page]]:
    """Starts servers with these words on their command lines."""
    started = []

    def start(*words: str | Path, namespace: Namespace | None = None) -> Page:
        process = commands.start(namespace, "ui", *map(str, words), stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
        started.append(process)
        address = process.stdout.readline().strip()
        assert address, process.stderr.read()
        return Page(process, address)

    yield start
    for process in started:
        process.terminate()
        process.communicate(timeout=PATIENCE)


#: What nobody may see who comes by the page.
KEY = "5ec2e7005ec2e7015ec2e7025ec2e703"
#: ARP ends in the kernel; IP in the runtime, where a queue of 2 overflows, which nobody pulls from; others are dropped at c.
ROUTER = """
FromDevice(eth0) -> in :: Counter -> c :: Classifier(12/0806, 12/0800);
c[0] -> arp :: Counter -> Discard;
c[1] -> ip :: Counter -> q :: Queue(2) -> held :: Unqueue(ACTIVE false) -> out :: Counter -> Discard;
inside :: { input -> deep :: Counter -> output } -> Discard;
Idle -> inside;
Idle -> tunnels :: RadixIPsecLookup(
    10.8.0.0/24 18.26.4.1 1 234 \\<5ec2e7005ec2e7015ec2e7025ec2e703> \\<112233445566778899aabbccddeeff00> 1 64);
tunnels[0] -> Discard; tunnels[1] -> Discard; tunnels[2] -> Discard;
"""
ARP, IP, OTHER = (bytes(12) + ethertype + bytes(46) for ethertype in (b"\x08\x06", b"\x08\x00", b"\x88\xb5"))


@pytest.fixture
def loaded(net, router, tmp_path) -> Path:
    """The file of ROUTER, which is loaded as OWN."""
    file = tmp_path / f"{OWN}.click"
    file.write_text(ROUTER)
    done = execute(router, "load", "--user", "ip", str(file))
    assert done.status == 0, done.err
    return file


@pytest.fixture
def send(net, loaded) -> Callable[..., None]:
    """Sends frames to the router."""

    def frames(*wanted: bytes) -> None:
        with socket.socket(socket.AF_PACKET, socket.SOCK_RAW) as out:
            out.bind(("eth0", 0))
            for frame in wanted:
                out.send(frame)

    return lambda *wanted: net.namespaces[1].call(frames, *wanted)


def number_of(page: Page, name: str) -> int:
    """A subject's number, once it is there."""
    found = eventually(lambda: [each["number"] for each in page.get("subjects").json["subjects"] if each["name"] == name])
    assert found, f"{name} isn't there"
    return found[0]
