"""Routers as services of systemd: its user manager runs the unit that `make install` installs."""

from __future__ import annotations

import os
import shutil
import signal
import socket
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from pathlib import Path

import pytest
from tests.cli.conftest import OWN, execute, kill, net, router  # noqa: F401
from tests.waiting import eventually

from clickbpf.load.files import places
from clickbpf.load.files.places import RunFolder
from clickbpf.load.kernel import capabilities
from clickbpf.load.process import service, systemd

UNIT = Path(__file__).parents[3] / "tools" / "clickbpf@.service"
MANAGER = "/lib/systemd/systemd"
#: A manager of a user runs where the system has one, which says so by a folder; here in a mount namespace alone.
AS_IF_BOOTED = "mkdir -p /run/systemd && mount -t tmpfs tmpfs /run/systemd && mkdir /run/systemd/system && exec "
#: Seconds.
WATCHDOG = 10
COUNTS = "f :: FromDevice(eth0) -> c :: Counter -> Queue -> ToDevice(eth1);\n"


class Services:
    """systemd in the router's network namespace, with the unit; what it would look for in /etc/clickbpf is in `folder`."""

    def __init__(self, namespace, folder: Path):
        self.folder = folder
        units = folder / "systemd" / "user"
        units.mkdir(parents=True)
        text = UNIT.read_text().replace("@BIN@", str(Path(sys.executable).parent)).replace("/etc/clickbpf", str(folder))
        (units / UNIT.name).write_text(text.replace("WatchdogSec=30", f"WatchdogSec={WATCHDOG}"))
        (folder / f"{OWN}.conf").write_text("ARGS=eth0 eth1\n")
        self._environment = {**os.environ, "XDG_RUNTIME_DIR": str(folder), "XDG_CONFIG_HOME": str(folder)}
        command = f"{AS_IF_BOOTED} {MANAGER} --user --log-target=console"
        self.manager = namespace.popen("unshare", "--mount", "sh", "-c", command, env=self._environment, stdin=subprocess.DEVNULL)
        assert eventually((folder / "systemd" / "private").exists)

    def configure(self, text: str) -> None:
        (self.folder / f"{OWN}.click").write_text(text)

    def __call__(self, *words: str) -> str:
        line = ["systemctl", "--user", *words, f"clickbpf@{OWN}"]
        done = subprocess.run(line, env=self._environment, capture_output=True, text=True, timeout=120)
        assert not done.returncode, done.stderr
        return done.stdout

    @property
    def main_process(self) -> int:
        return int(self("show", "--property=MainPID", "--value"))


@pytest.fixture
def services(router) -> Iterator[Services]:  # noqa: F811
    folder = Path(tempfile.mkdtemp(prefix="sd", dir="/run"))  # the path of a socket is short; the unit sees no /tmp of others
    made = Services(router, folder)
    yield made
    made("stop")
    made.manager.terminate()
    made.manager.wait(60)
    shutil.rmtree(folder)


def counted(router) -> int:  # noqa: F811
    return int(execute(router, "read", "-r", OWN, "c.count").out)


@pytest.mark.needs("root", "ip", "clang-19", "systemctl", "ping")
def test_a_router_is_started_reloaded_taken_up_again_and_stopped(net, router, services):  # noqa: F811
    services.configure(COUNTS)
    services("start")
    first, main = service.alive(RunFolder.of(OWN)), services.main_process
    assert main == service.main_process(RunFolder.of(OWN)) != 0

    net.namespaces[1].run("ping", "-c", "3", "-i", "0.01", "-W", "1", "10.0.0.2", check=False)
    before = counted(router)
    kill(first)
    assert eventually(lambda: services.main_process not in (0, main)), "it is started again"
    assert eventually(lambda: services("show", "--property=ActiveState", "--value").strip() == "active")
    assert counted(router) >= before > 0, "with its state"

    services.configure(COUNTS.replace("Counter", "Counter -> more :: Counter"))
    second = services.main_process
    services("reload")
    assert (services.main_process, execute(router, "read", "-r", OWN, "more.class").out.strip()) == (second, "Counter")

    services("stop")
    assert OWN not in places.loaded()
    assert "xdp" not in router.ip("link", "show", "eth0")


@pytest.mark.needs("root", "ip", "clang-19", "systemctl")
def test_a_runtime_that_hangs_is_ended_and_started_again(router, services):  # noqa: F811
    services.configure(COUNTS)
    services("start")
    main = services.main_process
    os.kill(service.alive(RunFolder.of(OWN)), signal.SIGSTOP)
    assert eventually(lambda: services.main_process not in (0, main))


@pytest.mark.needs("root", "ip", "clang-19", "systemctl")
def test_it_may_do_what_routers_need_and_no_more(router, services):  # noqa: F811
    services.configure(COUNTS)
    services("start")
    text = Path(f"/proc/{service.alive(RunFolder.of(OWN))}/status").read_text()
    status = dict(line.split(":\t", 1) for line in text.splitlines())
    allowed = sum(1 << number for number in (*capabilities.NEEDED, capabilities.CAP_IPC_LOCK))
    assert [int(status[each], 16) for each in ("CapEff", "CapPrm", "CapBnd")] == [allowed] * 3
    assert status["NoNewPrivs"] == "1"


@pytest.mark.needs("systemd-analyze")
def test_systemd_finds_nothing_wrong_with_the_unit(tmp_path):
    unit = tmp_path / UNIT.name
    unit.write_text(UNIT.read_text().replace("@BIN@", "/bin").replace("/bin/clickbpf", "/bin/true"))
    done = subprocess.run(["systemd-analyze", "verify", "--man=no", str(unit)], capture_output=True, text=True)
    assert (done.returncode, done.stderr) == (0, "")


@pytest.mark.parametrize("abstract", [False, True])
def test_what_is_sent(monkeypatch, tmp_path, abstract):
    name = f"@{OWN}" if abstract else str(tmp_path / "notify")
    with socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM) as manager:
        manager.bind(name.replace("@", "\0"))
        monkeypatch.setenv("NOTIFY_SOCKET", name)
        monkeypatch.setenv("WATCHDOG_USEC", "1000000000")
        systemd.notify(READY=1, MAINPID=7)
        assert manager.recv(100) == b"READY=1\nMAINPID=7"
        watchdog = systemd.Watchdog()
        assert watchdog.due
        watchdog.well()
        assert (manager.recv(100), watchdog.due) == (b"WATCHDOG=1", False)


def test_nothing_is_sent_where_nobody_asks(monkeypatch):
    monkeypatch.delenv("NOTIFY_SOCKET", raising=False)
    monkeypatch.delenv("WATCHDOG_USEC", raising=False)
    systemd.notify(READY=1)
    assert not systemd.Watchdog().due
