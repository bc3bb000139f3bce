"""`top` and `metrics` on a loaded router: numbers that are known, because the packets were counted out."""

import gc
import json
import os
import re
import signal
import socket
import subprocess
import termios
import urllib.request
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path
from subprocess import PIPE

import pytest
from prometheus_client.openmetrics.parser import text_string_to_metric_families
from prometheus_client.parser import text_string_to_metric_families as older_format
from tests.waiting import eventually, standing_still

from clickbpf.load.access.access import Access
from clickbpf.load.files.places import RunFolder
from clickbpf.load.process import service
from clickbpf.observe import metrics, snapshot
from clickbpf.runtime.client import ControlClient
from clickbpf.vocabulary.drops import REASONS

from .conftest import OWN, command, environment, execute, kill

pytestmark = pytest.mark.needs("root", "ip", "clang-19")

#: ARP ends in the kernel; IP in the runtime, where a queue of 2 overflows, which nobody pulls from; others are dropped at c.
ROUTER = """
FromDevice(eth0) -> in :: Counter -> short :: CheckLength(1500) -> c :: Classifier(12/0806, 12/0800);
c[0] -> arp :: Counter -> Discard;
c[1] -> ip :: Counter -> q :: Queue(2) -> held :: Unqueue(ACTIVE false) -> Discard;
"""
ARP, IP, OTHER = (bytes(12) + ethertype + bytes(46) for ethertype in (b"\x08\x06", b"\x08\x00", b"\x88\xb5"))


@pytest.fixture
def loaded(net, router, tmp_path):
    """The router, which has seen 7 frames of ARP, 5 of IP and 3 others, and whatever else comes with a device."""
    file = tmp_path / f"{OWN}.click"
    file.write_text(ROUTER)
    done = execute(router, "load", "--user", "ip", str(file))
    assert done.status == 0, done.err
    net.namespaces[1].call(send, [ARP] * 7 + [IP] * 5 + [OTHER] * 3)
    while int(execute(None, "read", "-r", OWN, "ip.count").out) < 5:
        pass


def send(frames: list[bytes]) -> None:
    with socket.socket(socket.AF_PACKET, socket.SOCK_RAW) as out:
        out.bind(("eth0", 0))
        for frame in frames:
            out.send(frame)


def values(text: str, parse=text_string_to_metric_families) -> dict[tuple[str, ...], float]:
    """Of this router: name and the labels' values but the router's -> value."""
    found = {}
    for family in parse(text):
        for sample in family.samples:
            labels = dict(sample.labels)
            if labels.pop("router") == OWN:
                found[sample.name, *(labels[key] for key in sorted(labels))] = sample.value
    return found


def check(found: dict[tuple[str, ...], float]) -> None:
    assert found["clickbpf_packets_total", "Counter", "arp", "kernel"] == 7
    assert found["clickbpf_packets_total", "Counter", "arp", "runtime"] == 0
    assert found["clickbpf_packets_total", "Counter", "ip", "runtime"] == 5
    assert found["clickbpf_bytes_total", "Counter", "arp", "kernel"] == 7 * len(ARP)
    assert found["clickbpf_length", "Queue", "q"] == 2
    assert found["clickbpf_dropped_packets_total", "Queue", "q", "FULL"] == 3
    assert found["clickbpf_dropped_packets_total", "Classifier", "c", "FILTERED"] >= 3


def test_a_look_asks_the_router_once(loaded, monkeypatch):
    """However many elements there are, one command gets what only handlers know."""
    said = []
    send_it = ControlClient._send
    monkeypatch.setattr(ControlClient, "_send", lambda self, request, name: (said.append(request), send_it(self, request, name))[1])
    observer = snapshot.Observer(OWN)
    observer.snapshot()
    for _ in range(3):
        del said[:]
        seen = observer.snapshot()
        assert len(said) == 1
    levels = {(number.element, number.name): number.value for number in seen.levels}
    counts = {(number.element, number.name, number.executor): number.value for number in seen.counts}
    assert levels["q", "length"] == 2 and counts["arp", "count", snapshot.KERNEL] == 7 and counts["ip", "count", snapshot.RUNTIME] == 5
    assert ("short", "length") not in levels, "a setting"
    assert seen.dropped["q", "FULL"] == 3
    few = snapshot.Observer(OWN, ("length",), ("count",))
    assert {number.name for number in few.snapshot().counts} == {"count"}
    for each in (observer, few):
        each.close()


def test_looks_at_a_dead_router_keep_no_descriptor(loaded):
    """However long Python doesn't look for garbage, in which elements and their handlers refer to each other."""
    kill(service.alive(RunFolder.of(OWN)))
    gc.disable()
    try:
        before = os.listdir("/proc/self/fd")
        with Access(OWN) as access:
            assert access.read("arp.count") == "7"
        observer = snapshot.Observer(OWN)
        assert observer.snapshot().dropped["q", "FULL"] == 3
        observer.close()
        assert os.listdir("/proc/self/fd") == before
    finally:
        gc.enable()


def test_metrics(loaded):
    done = execute(None, "metrics", OWN)
    found = values(done.out)
    check(found)
    assert done.out.endswith("# EOF\n")
    assert found["clickbpf_state", "running"] == 1 and found["clickbpf_state", "dead"] == 0
    assert found["clickbpf_resident_bytes",] > 1 << 20 and found["clickbpf_descriptors",] > 3


MONITORING = Path(__file__).parents[2] / "tools" / "monitoring"


def asked(expression: str) -> Iterator[tuple[str, set[str]]]:
    """The metrics that an expression of PromQL names, each with the labels that are asked of it."""
    grouped = {label.strip() for labels in re.findall(r"\bby \(([^)]*)\)", expression) for label in labels.split(",")}
    for name, matchers in re.findall(r"\b(clickbpf_\w+)\b(?![^{]*})(?:\{([^}]*)\})?", expression):
        yield name, grouped | set(re.findall(r"(\w+)\s*[=!]", matchers))


def test_dashboard_and_alerts_name_what_there_is(loaded):
    """A state has its own name for a label (StateSet in OpenMetrics)."""
    labels: dict[str, set[str]] = {}
    for family in text_string_to_metric_families(execute(None, "metrics", OWN).out):
        for sample in family.samples:
            labels.setdefault(sample.name, set()).update(sample.labels)
    board = json.loads((MONITORING / "grafana.json").read_text())
    expressions = [target["expr"] for panel in board["panels"] for target in panel["targets"]]
    alerts = re.findall(r"^ +expr: (.*)", (MONITORING / "alerts.yml").read_text(), re.MULTILINE)
    named = [found for expression in (*expressions, *alerts) for found in asked(expression)]
    assert len(named) >= len(expressions) + len(alerts) > 15
    assert [(name, wanted) for name, wanted in named if not (name in labels and wanted <= labels[name])] == []
    for reasons in re.findall(r'reason=~"([^"]*)"', "\n".join(alerts)):
        assert set(reasons.split("|")) <= set(REASONS)


def test_metrics_in_a_file(loaded, tmp_path):
    path = tmp_path / "clickbpf.prom"
    assert execute(None, "metrics", OWN, "--textfile", str(path)).status == 0
    check(values(path.read_text(), older_format))
    assert set(os.listdir(tmp_path)) == {path.name, f"{OWN}.click"}


def test_metrics_by_http(loaded):
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = free.getsockname()[1]
    with subprocess.Popen(command("metrics", OWN, "--listen", str(port)), env=environment(), stderr=PIPE, text=True) as child:
        check(values(fetch(port)))
        kill(service.alive(RunFolder.of(OWN)))
        found = values(fetch(port))
        assert found["clickbpf_packets_total", "Counter", "arp", "kernel"] == 7
        assert found["clickbpf_state", "degraded"] == 1 and ("clickbpf_uptime_seconds",) not in found
        child.send_signal(signal.SIGINT)
        _, errors = child.communicate(timeout=60)
    assert (child.returncode, errors) == (130, "")


def test_a_router_that_hangs_keeps_nobody_waiting(loaded, monkeypatch):
    """Its process stands still: there is nothing to report of it, but of others there is; and of it, too, once it goes on."""
    monkeypatch.setattr(snapshot, "PATIENCE", 0.5)
    routers, process = metrics.Routers([OWN]), service.alive(RunFolder.of(OWN))

    def packets() -> list[float]:
        return [sample.value for family in routers.collect() for sample in family.samples if sample.name == "clickbpf_packets_total"]

    with standing_still(process):
        assert packets() == []
    assert eventually(packets)


def fetch(port: int) -> str:
    asked = urllib.request.Request(f"http://127.0.0.1:{port}/metrics", headers={"Accept": "application/openmetrics-text"})
    while True:
        try:
            with urllib.request.urlopen(asked, timeout=60) as answer:
                return answer.read().decode()
        except ConnectionRefusedError:
            continue
        except urllib.error.URLError as error:
            if not isinstance(error.reason, ConnectionRefusedError):
                raise


def test_a_port_that_is_taken():
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))
        taken.listen()
        port = taken.getsockname()[1]
        done = execute(None, "metrics", "--listen", f"127.0.0.1:{port}")
    assert (done.status, done.err) == (1, f"error: metrics can't be served at 127.0.0.1:{port}: Address already in use\n")


@pytest.mark.parametrize("where", ["x", "1.2.3.4:", "70000", "a b:1"])
def test_a_place_to_listen_that_is_none(where):
    assert execute(None, "metrics", "--listen", where).status == 2


def test_top_for_programs(loaded):
    found = json.loads(execute(None, "top", OWN, "--once", "--json", "-d", "0.1").out)
    elements = {each["element"]: each for each in found["elements"]}
    assert (found["router"], found["state"]) == (OWN, "running")
    assert (elements["arp"]["runs"], elements["arp"]["total"], elements["arp"]["kernel_rate"]) == ("xdp", 7, 0.0)
    assert (elements["q"]["holds"], elements["q"]["dropped"], elements["q"]["reason"]) == (2, 3, "FULL")


def test_top_for_people(loaded, net):
    """A hundred frames come while it looks."""
    with subprocess.Popen(command("top", OWN, "--once", "-d", "3"), env=environment(), stdout=PIPE, text=True) as child:
        while child.poll() is None:
            net.namespaces[1].call(send, [ARP] * 100)
            with suppress(subprocess.TimeoutExpired):
                child.wait(0.25)
        lines = child.communicate()[0].splitlines()
    assert lines[0].startswith(f"{OWN}: running, up ") and lines[0].endswith("native XDP on eth0")
    assert lines[3].split() == ["ELEMENT", "CLASS", "RUNS", "PACKETS", "KERNEL/S", "RUNTIME/S", "HOLDS", "DROPPED", "DROPS/S", "REASON"]
    (arp,) = (line.split() for line in lines if line.startswith("arp "))
    assert int(arp[3]) > 100 and int(arp[4]) > 30


ENDS = [(lambda child, keys: child.send_signal(signal.SIGINT), 130), (lambda child, keys: os.write(keys, b"q"), 0)]


@pytest.mark.parametrize("end, status", ENDS, ids=["interrupt", "q"])
def test_top_on_a_terminal(loaded, end, status):
    """The whole screen, until interrupted or quitted: the elements stand there, and the terminal's own screen and mode come back."""
    ours, theirs = os.openpty()
    mode = termios.tcgetattr(theirs)
    environ = {**environment(), "TERM": "xterm", "COLUMNS": "120", "LINES": "40"}
    with subprocess.Popen(command("top", OWN, "-d", "0.2"), env=environ, stdin=theirs, stdout=theirs, stderr=PIPE) as child:
        seen = b""
        while seen.count(b"FULL") < 2:
            seen += os.read(ours, 65536)
        os.write(ours, b"ss")
        while b"order (drops)" not in seen:
            seen += os.read(ours, 65536)
        end(child, ours)
        while b"\x1b[?1049l" not in seen:
            seen += os.read(ours, 65536)
        _, errors = child.communicate(timeout=60)
        assert termios.tcgetattr(theirs) == mode
        os.close(theirs)
    os.close(ours)
    assert (child.returncode, errors) == (status, b"")
    assert seen.count(b"\x1b[?1049h") == 1 and b"\x1b[?1049l" in seen.partition(b"\x1b[?1049h")[2]
