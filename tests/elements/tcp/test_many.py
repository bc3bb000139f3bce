"""Many connections, one after another: nothing is left of those that are over."""

import os
import re
import socket
from pathlib import Path
from threading import Thread

import pytest
from tests.elements.tcp.line import LINUX, ROUTER, line
from tests.waiting import eventually

from clickbpf.runtime.host import Runtime

pytestmark = pytest.mark.whole
#: Bytes by which a process may grow while nothing is kept: its allocator's, and Python's own.
SOME = 8 << 20
#: To another TCP of these. $CLICKBPF_CONNECTIONS=1000000 takes half a minute.
CONNECTIONS = int(os.environ.get("CLICKBPF_CONNECTIONS", "60000"))


def held() -> tuple[int, int]:
    """Bytes in memory, and open descriptors, of this process."""
    pages = int(Path("/proc/self/statm").read_text().split()[1])
    return pages * os.sysconf("SC_PAGE_SIZE"), len(os.listdir("/proc/self/fd"))


def grows(router: Runtime, first: int, last: int) -> None:
    """Between so many connections of the source `source` and so many, the process doesn't."""

    def over(number: int) -> bool:
        return int(router.handlers.read("source", "over")) >= number

    assert eventually(lambda: over(first), 120)
    memory, descriptors = held()
    assert eventually(lambda: over(last), 600)
    after = held()
    # A server in this process may have one open.
    assert after[0] - memory < SOME and after[1] <= descriptors + 1


def test_very_many_to_another_of_these(running):
    far = re.sub(r"\w+ :: ", "", line(", 7").replace("(tcp", "(far"))
    near = line("", "source", "").removesuffix(" -> ")
    router = running(
        "tcp :: TCPConnections(1000); far :: TCPConnections(1000); source :: TCPSource(tcp, 10.0.0.1, 10.0.0.2, 7, LENGTH 100,"
        f" LIMIT {CONNECTIONS}, RATE 1000000000, CONNECTIONS 400) -> TCPOutput(tcp) -> {far} -> {near};"
    )
    grows(router, CONNECTIONS // 10, CONNECTIONS)
    assert [router.handlers.read(name, "aborted") for name in ("tcp", "far")] == ["0", "0"]
    assert {router.handlers.read(name, "received") for name in ("far", "source")} == {str(100 * CONNECTIONS)}
    assert router.handlers.read("far", "table") == ""


@pytest.mark.needs("root", "ip")
def test_thousands_to_linux(running, network):
    host = network.namespace("host")
    server = host.call(lambda: socket.create_server(("0.0.0.0", 7), backlog=1000))
    seen = []

    def serve() -> None:
        for _ in range(20_000):
            peer, _ = server.accept()
            with peer:
                seen.append(peer.recv(100) and len(peer.recv(100)))

    serving = Thread(target=serve, daemon=True)
    serving.start()
    router = running(
        f"tcp :: TCPConnections(1000); source :: TCPSource(tcp, {ROUTER}, {LINUX}, 7, LENGTH 100, LIMIT 20000, RATE 100000,"
        f" CONNECTIONS 100) -> TCPOutput(tcp) -> tun :: KernelTun({LINUX}/24) -> {line('', 'source', '').removesuffix(' -> ')};",
        host,
    )
    grows(router, 5_000, 20_000)
    serving.join(60)
    server.close()
    assert (len(seen), set(seen), router.handlers.read("tcp", "opened")) == (20_000, {0}, "20000")
