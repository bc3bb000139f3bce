"""Routers that change under traffic: no packet is lost, by either executor."""

import json
import os
import re
import signal
import subprocess
import threading
import time
from collections import Counter
from contextlib import suppress
from pathlib import Path

import pytest
from tests.axes import axis

from clickbpf.errors import ClickError
from clickbpf.load.files.places import RunFolder
from clickbpf.load.process.service import alive
from clickbpf.runtime.client import ControlClient
from clickbpf.testing.traffic import RawPort, ping

from .conftest import OWN, command, environment, execute

pytestmark = pytest.mark.needs("root", "ip", "bpftool", "clang-19")


@pytest.fixture
def cable(cable):
    """The configuration with names: elements without one get another where something comes before them, and begin anew."""
    text = "FromDevice(eth0) -> c :: Counter -> q0 :: Queue -> t1 :: ToDevice(eth1);\n"
    cable.write_text(text + "FromDevice(eth1) -> q1 :: Queue -> t0 :: ToDevice(eth0);\n")
    return cable


def until(happened) -> None:
    end = time.monotonic() + 60
    while not happened():
        assert time.monotonic() < end
        time.sleep(0.05)


class Pings:
    """A thousand a second until somebody asks how many were lost, in bursts right after one another; none is sent again."""

    BURST = 500

    def __init__(self, net):
        self.sent = self._received = 0
        self._host, self._enough = net.namespaces[1], threading.Event()
        # It ends with the namespace where nobody asks.
        self._thread = threading.Thread(target=self._send, daemon=True)
        self._thread.start()

    def _send(self) -> None:
        words = ("ping", "-q", "-i0.001", f"-c{self.BURST}", "-W5", "10.0.0.2")
        while not self._enough.is_set():
            found = re.search(r"(\d+) packets transmitted, (\d+) received", self._host.run(*words, check=False).stdout)
            if not found:
                return
            self.sent += int(found[1])
            self._received += int(found[2])

    def unanswered(self) -> int:
        self._enough.set()
        self._thread.join(60)
        assert self.sent >= self.BURST and not self._thread.is_alive()
        return self.sent - self._received


def answered(net) -> bool:
    return net.namespaces[1].run("ping", "-c1", "-W1", "10.0.0.2", check=False).returncode == 0


@pytest.mark.whole
@pytest.mark.parametrize("options", axis((), ("--no-kernel",)), ids=["kernel", "user"])
def test_hotconfig(net, router, cable, tmp_path, options):
    control = tmp_path / "control"
    running = router.popen(*command("run", "-R", "-u", str(control), *options, str(cable)), env=environment())
    until(lambda: answered(net))
    pings = Pings(net)
    text = cable.read_text()
    with ControlClient(control) as client:
        for number in range(4):
            client.write("hotconfig", text.replace("c ::", f"n{number} :: Null -> c ::"))
            assert f"n{number}" in client.read("list")
        with pytest.raises(ClickError, match="undeclared element 'Discrad'"):
            client.write("hotconfig", text + "Idle -> Discrad;")
        until(lambda: int(client.read("c.count")) > 100)
        assert pings.unanswered() == 0
    running.send_signal(signal.SIGINT)
    assert running.wait(60) == 0
    assert "prog/xdp" not in router.ip("-d", "link")


def held(pid: int) -> tuple[Counter, Counter, int]:
    """What a process holds, by kinds: descriptors, files and maps in its memory, threads. An old router goes soon, not at once."""
    proc, kinds = Path(f"/proc/{pid}"), Counter()
    for descriptor in (proc / "fd").iterdir():
        with suppress(FileNotFoundError):  # it is being closed
            kinds[re.sub(r"\d+", "", str(descriptor.readlink()))] += 1
    # A file that has left the cache meanwhile, or has been compiled again, is the same file in memory.
    mapped = (proc / "maps").read_text().replace(" (deleted)", "")
    in_memory = Counter(re.findall(r"(?:anon_inode:|/)[^/\n]*$", mapped, re.MULTILINE))
    return kinds, in_memory, len(list((proc / "task").iterdir()))


def maps_of(pid: int) -> set[int]:
    """The kernel's numbers of the maps that a process has descriptors of, except those for sending in batches, which swaps leave alone."""
    found: set[int] = set()
    for path in Path(f"/proc/{pid}/fdinfo").iterdir():
        with suppress(FileNotFoundError):  # it is being closed
            found.update(map(int, re.findall(r"^map_id:\s*(\d+)", path.read_text(), re.MULTILINE)))
    return found & maps_there_are()


def maps_there_are() -> set[int]:
    listed = subprocess.run(["bpftool", "-j", "map", "list"], capture_output=True, text=True, check=True).stdout
    return {each["id"] for each in json.loads(listed) if each.get("name") not in ("volleys", "batches")}


def one_runtime(pid: int) -> bool:
    """Whether the threads of the old ones are gone."""
    names = [path.read_text() for path in Path(f"/proc/{pid}/task").glob("*/comm")]
    return names.count("clickbpf/0\n") == 1


#: Maps, elements in the runtime, ToHost's own attachments; and a device that every other router makes.
PARTS = """
FromDevice(eth0) -> c :: Counter -> q0 :: Queue -> u :: Unqueue -> q2 :: Queue -> t1 :: ToDevice(eth1);
FromDevice(eth1) -> q1 :: Queue -> t0 :: ToDevice(eth0); Idle -> ToHost(eth0);
"""


def test_nothing_is_left_of_old_routers(net, router, tmp_path):
    control = tmp_path / "control"
    running = router.popen(*command("run", "-R", "-u", str(control), "-e", PARTS), env={**environment(), "TMPDIR": str(tmp_path)})
    until(lambda: answered(net))
    texts = PARTS.replace("c ::", "n :: Null -> c ::") + "FromHost(sw0, 10.9.9.1/24) -> Discard;", PARTS
    with ControlClient(control) as client:
        for text in texts:
            client.write("hotconfig", text)
        until(lambda: one_runtime(running.pid))
        before, maps = held(running.pid), maps_of(running.pid)
        for number in range(6):
            client.write("hotconfig", texts[number % 2])
        until(lambda: all(now <= then for now, then in zip(held(running.pid), before)))
        # Others than descriptors may hold a map: sockets do that are in it.
        until(lambda: not maps & maps_there_are())
    assert not list(tmp_path.glob("clickbpf-*")), "temporary files"
    running.send_signal(signal.SIGINT)
    assert running.wait(60) == 0
    assert "prog/" not in router.ip("-d", "link")


@pytest.mark.whole
def test_nothing_is_left_of_replaced_routers(router, tmp_path):
    """Of those that a loaded router's process changes to."""
    file = tmp_path / f"{OWN}.click"

    def replace(number: int) -> None:
        file.write_text(PARTS.replace("c ::", "n :: Null -> c ::") if number % 2 else PARTS)
        assert execute(router, "load", "--replace", str(file)).status == 0

    for number in range(2):
        replace(number)
    process = alive(RunFolder.of(OWN))
    until(lambda: one_runtime(process))
    before, maps = held(process), maps_of(process)
    for number in range(4):
        replace(number)
    assert alive(RunFolder.of(OWN)) == process
    until(lambda: all(now <= then for now, then in zip(held(process), before)))
    until(lambda: not maps & maps_there_are())


SORTED = """
FromDevice(eth0) -> c :: Classifier(12/0800, -);
c[0] -> ip :: Counter -> q0 :: Queue -> t1 :: ToDevice(eth1);
c[1] -> other :: Counter -> q0;
FromDevice(eth1) -> back :: Counter -> q1 :: Queue -> t0 :: ToDevice(eth0);
"""


class Exchange:
    """An element's arguments are exchanged while pings go through it; every ping is counted by one of two Counters."""

    def __init__(self, net, read, write):
        self.net, self.read, self.write = net, read, write

    def count(self, name: str) -> int:
        return int(self.read(f"{name}.count"))

    def check(self) -> None:
        until(lambda: answered(self.net))
        pings = Pings(self.net)
        for counting, config in (("other", "12/0806, -"), ("ip", "12/0800, -"), ("other", "12/0806, -")):
            self.write("c.config", config)
            before = self.count(counting)
            assert answered(self.net)
            assert self.count(counting) > before
            assert self.read("c.config").strip() == config
        with pytest.raises(ClickError, match="need 2 arguments, one per output port"):
            self.write("c.config", "12/0800")
        assert pings.unanswered() == 0
        assert self.count("ip") + self.count("other") > pings.sent, "what was counted before stays"


@pytest.mark.parametrize("options", axis((), ("--no-kernel",), ("--chain",)), ids=["kernel", "user", "chain"])
def test_arguments_of_one_element(net, router, tmp_path, options):
    control = tmp_path / "control"
    words = ("run", "-u", str(control), *options, "-e", SORTED)
    running = router.popen(*command(*words), env=environment())
    until(lambda: answered(net))
    with ControlClient(control) as client:
        Exchange(net, client.read, client.write).check()
    running.send_signal(signal.SIGINT)
    assert running.wait(60) == 0
    assert "prog/xdp" not in router.ip("-d", "link")


@pytest.mark.whole
def test_arguments_of_one_element_in_the_background(net, router, tmp_path):
    file = tmp_path / "sorted.click"
    file.write_text(SORTED)
    assert execute(router, "load", "-n", OWN, "--chain", str(file)).status == 0

    with ControlClient(Path(f"/run/clickbpf/{OWN}/control")) as client:
        Exchange(net, client.read, client.write).check()
    assert execute(router, "write", "-r", OWN, "c.config", "12/0806, -").status == 0
    assert "12/0806" in execute(router, "read", "-r", OWN, "flatconfig").out
    pid = int(Path(f"/run/clickbpf/{OWN}/pid").read_text().split()[0])
    os.kill(pid, signal.SIGKILL)
    until(lambda: execute(router, "load", "--runtime-only", OWN).status == 0)
    assert execute(router, "read", "-r", OWN, "c.config").out.strip() == "12/0806, -", "what a new runtime finds"
    assert answered(net)


def test_a_device_that_the_old_router_did_not_have_or_had_under_another_index(net, router, tmp_path):
    control = tmp_path / "control"
    words = ("run", "-R", "-u", str(control), "-e", "FromDevice(eth0) -> Discard;")
    running = router.popen(*command(*words), env=environment())
    until(lambda: "prog/xdp" in router.ip("-d", "link", "show", "eth0"))
    both = "FromDevice(eth0) -> Queue -> ToDevice(eth1); FromDevice(eth1) -> Queue -> ToDevice(eth0);"
    with ControlClient(control) as client:
        until(lambda: "hotconfig" in client.read("handlers"))
        client.write("hotconfig", both)
        until(lambda: answered(net))
        router.ip("link", "delete", "eth0")
        net.veth(router, "eth0", net.namespaces[1], "eth0")
        net.namespaces[1].address("eth0", "10.0.0.1/24")
        client.write("hotconfig", both)
        until(lambda: answered(net))
        client.write("hotconfig", "FromDevice(eth1) -> Discard;")
        assert "prog/xdp" not in router.ip("-d", "link", "show", "eth0")
    running.send_signal(signal.SIGINT)
    assert running.wait(60) == 0
    assert "prog/xdp" not in router.ip("-d", "link")


@pytest.mark.parametrize("options", axis([], ["--no-kernel"], ["--hook", "tc"]), ids=["xdp", "user", "tc"])
def test_packets_for_linux_after_a_router_without_any(net, router, options):
    """The new router's packet socket, where both have the device; and the address that the device has by then."""
    words = ("load", *options, "-n", OWN)
    router.address("eth0", "10.0.0.9/24")
    assert execute(router, *words, "-e", "FromDevice(eth0) -> q :: Queue -> Discard;").status == 0
    router.ip("link", "set", "eth0", "address", "02:00:00:00:00:99")
    to_linux = "FromDevice(eth0) -> q :: Queue -> Unqueue -> ToHost(eth0);"
    assert execute(router, *words, "--replace", "-e", to_linux).status == 0
    net.namespaces[1].neighbour("eth0", "10.0.0.9", "02:00:00:00:00:99")
    assert ping(net.namespaces[1], "10.0.0.9", 3) == 3


def test_replace_in_the_background(net, router, cable):
    """All in user space: the sockets, with what waits in them, are the new router's."""
    assert execute(router, "load", "--no-kernel", str(cable)).status == 0
    until(lambda: answered(net))
    pings = Pings(net)
    text = cable.read_text()
    for number in range(2):
        cable.write_text(text.replace("c ::", f"n{number} :: Null -> c ::"))
        done = execute(router, "load", "--replace", "--no-kernel", str(cable))
        assert (done.status, done.err.splitlines()[-1]) == (0, f"{OWN} loaded")
    assert pings.unanswered() == 0
    assert "n1" in execute(router, "read", "-r", OWN, "list").out


def filtered(router) -> int:
    found = re.search(r"(\d+)\tFILTERED", execute(router, "read", "-r", OWN, "f.drop_reasons").out)
    return int(found[1]) if found else 0


FILTER = "FromDevice(eth1) -> f :: Classifier(12/ffff) -> Discard; FromDevice(eth0) -> Discard;"


def test_drops_are_counted_on(net, router, tmp_path):
    """By the same process, by another one that takes its place, and by one that begins where none ran."""
    file = tmp_path / f"{OWN}.click"
    sender = RawPort(net.namespaces[2], "eth0")

    def send(expected: int) -> None:
        for _ in range(100):
            sender.send(bytes(60))
        until(lambda: filtered(router) >= expected)

    def replace(*options: str, process: bool) -> None:
        before = alive(RunFolder.of(OWN))
        file.write_text(file.read_text() + "Idle -> Discard;\n")
        assert execute(router, "load", "--replace", *options, str(file)).status == 0
        assert (alive(RunFolder.of(OWN)) == before) == process

    file.write_text(FILTER)
    assert execute(router, "load", str(file)).status == 0
    send(100)
    replace(process=True)
    send(200)
    os.kill(alive(RunFolder.of(OWN)), signal.SIGKILL)
    until(lambda: not alive(RunFolder.of(OWN)))
    replace(process=False)
    send(300)
    assert filtered(router) < 350, "and no more than there were"


def test_a_file_that_can_not_be_opened_leaves_the_loaded_router(net, router, cable):
    assert execute(router, "load", str(cable)).status == 0
    done = execute(router, "load", "--replace", "-n", OWN, "-e", cable.read_text() + "Idle -> ToDump(/nonexistent/x);")
    assert (done.status, "/nonexistent/x" in done.err) == (1, True)
    assert answered(net)
    assert "ToDump" not in execute(router, "read", "-r", OWN, "flatconfig").out
