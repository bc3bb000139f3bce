"""Connections that are begun, asked one thing and ended: what answers health checks, beside a web server on the same two CPUs.

wrk, on one CPU, opens a connection for each request, fifty at a time. The others have the other CPU; what XDP answers is answered on the
client's.
"""

from __future__ import annotations

import re
import signal
import subprocess
import tempfile
from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, contextmanager, suppress
from pathlib import Path

from tests.bench.anchor import ROUTER
from tests.bench.bed import FIRST, LAST
from tests.bench.effort import Effort
from tests.bench.forwarding import placed, running
from tests.waiting import eventually

from clickbpf.testing.netns import Namespace, Network

NGINX = "nginx"
CONFIGURATION = """daemon off; worker_processes 1; error_log stderr; pid nginx.pid; events { worker_connections 4096; }
http { access_log off; keepalive_timeout 0; server { listen 8080 backlog=4096; location / { return 200 "alive\\n"; } } }"""
CLIENT = ("wrk", "-t1", "-c50", "-H", "Connection: close")
URL = "http://10.0.0.1:8080/health"
Server = Callable[[Namespace], AbstractContextManager[None]]


def measure(effort: Effort) -> Iterator[tuple[str, list[float]]]:
    """(name, requests a second in each round)."""
    text = ROUTER.with_name("healthcheck.click").read_text() + '\nScript(print "ready");\n'
    servers: dict[str, Server] = {NGINX: nginx, "HTTPResponder in XDP": running(text), "in the runtime": running(text, "--no-kernel")}
    rounds: dict[str, list[float]] = {name: [] for name in servers}
    with Network() as network:
        place, host = network.namespace("server"), network.namespace("client")
        network.veth(place, "eth0", host, "eth0")
        place.address("eth0", "10.0.0.1/24")
        host.address("eth0", "10.0.0.2/24")
        host.offload("eth0", tx=False, gro=True)
        for _ in range(effort.live):
            for name, server in servers.items():
                with placed(LAST), server(place):
                    rounds[name].append(requests(host, effort.seconds))
    yield from rounds.items()


def requests(host: Namespace, seconds: float) -> float:
    """A second, of which none fails."""
    with placed(FIRST):
        said = host.run(*CLIENT, f"-d{max(1, round(seconds))}s", URL).stdout
    if "Socket errors" in said or "Non-2xx" in said:
        raise SystemExit(said)
    return float(re.search(r"Requests/sec:\s+([\d.]+)", said)[1])


def is_open(place: Namespace) -> bool:
    with suppress(ConnectionRefusedError), place.socket() as tried:
        tried.connect(("10.0.0.1", 8080))
        return True
    return False


@contextmanager
def nginx(place: Namespace) -> Iterator[None]:
    with tempfile.TemporaryDirectory() as folder:
        Path(folder, "nginx.conf").write_text(CONFIGURATION)
        child = place.popen("nginx", "-p", folder, "-c", "nginx.conf", stderr=subprocess.DEVNULL)
        try:
            if not eventually(lambda: is_open(place)):
                raise SystemExit("nginx did not start")
            yield
        finally:
            child.send_signal(signal.SIGTERM)
            child.wait(20)
