"""Routers as services of systemd: its user manager runs the unit that `make install` installs."""

import pwd
import re
import socket
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest
from tests.cli.conftest import OWN, command, net, router  # noqa: F401
from tests.load.process.booted import UNITS, Booted
from tests.waiting import eventually

from clickbpf import cache
from clickbpf.load.kernel import capabilities
from clickbpf.load.process import systemd

UNIT = Path(__file__).parents[3] / "tools" / "clickbpf@.service"
GRANT = UNIT.with_name("clickbpf-grant@.service")
#: What has to be seen to run clickbpf: its files, and those of its Python environment.
CHECKOUT = (UNIT.parents[1], Path(sys.prefix))
#: Seconds.
WATCHDOG = 10
#: The exit status of a confined script that did not end well: the shell, and systemd where it can't start the shell, have others.
FAILED = 77
COUNTS = "f :: FromDevice(eth0) -> c :: Counter -> Queue -> ToDevice(eth1);\n"
#: Lines of the unit that are about what it starts.
OF_THE_ROUTER = (
    *("Type=", "NotifyAccess=", "ExecStartPre=/bin/sh", "ExecStart=", "ExecReload=", "ExecStop", "Restart=", "WatchdogSec=", "Condition"),
)


def installed(unit: Path, folder: Path = Path(sys.executable).parent) -> str:
    """The text that `make install` installs."""
    return unit.read_text().replace("@BIN@", str(folder))


class Services:
    """A machine that systemd has started, with the units; /srv is its /etc/clickbpf. Process ids are the container's."""

    def __init__(self, namespace, compiled: Path):
        self.machine = Booted(namespace, compiled)
        self._write(f"/srv/{OWN}.conf", "ARGS=eth0 eth1\n")
        # A checkout may be in somebody's home, or in /tmp.
        seen = f"ProtectHome=read-only\nBindReadOnlyPaths={' '.join(map(str, CHECKOUT))}"
        self.install(installed(UNIT).replace("ProtectHome=yes", seen))
        self._write(f"{UNITS}/{GRANT.name}", installed(GRANT))
        self.machine.run("systemctl", "daemon-reload")

    def install(self, text: str) -> None:
        """The unit, with what makes it fit for tests."""
        text = text.replace("/etc/clickbpf", "/srv").replace("WatchdogSec=30", f"WatchdogSec={WATCHDOG}")
        text = text.replace("[Service]\n", "[Service]\nStandardOutput=append:/srv/log\nStandardError=append:/srv/log\n")
        self._write(f"{UNITS}/{UNIT.name}", text)

    def _write(self, path: str, text: str) -> None:
        self.machine.root.joinpath(path.lstrip("/")).write_text(text)

    def drop_in(self, text: str) -> None:
        """What an administrator adds to the unit by `systemctl edit`."""
        folder = f"{UNITS}/clickbpf@{OWN}.service.d"
        self.machine.run("mkdir", folder)
        self._write(f"{folder}/override.conf", text)
        self.machine.run("systemctl", "daemon-reload")

    def configure(self, text: str) -> None:
        self._write(f"/srv/{OWN}.click", text)

    def __call__(self, *words: str) -> str:
        done = self.machine.run("systemctl", *words, f"clickbpf@{OWN}", check=False)
        assert done.returncode == 0, done.stderr + self.machine.run("cat", "/srv/log", check=False).stdout
        return done.stdout

    def clickbpf(self, *words: str) -> str:
        """A command that root gives beside the service."""
        return self.machine.run(*command(*words)).stdout.strip()

    def confined(self, script: str) -> bool:
        """Whether a script ends well that runs as what the unit starts, but for the router. It has to run at least."""
        lines = [line for line in UNIT.read_text().splitlines() if not line.startswith(OF_THE_ROUTER)]
        lines.insert(lines.index("[Service]") + 1, "Type=oneshot\nExecStart=/bin/sh /srv/script")
        self._write("/srv/script", f"({script}) && exit\nexit {FAILED}\n")
        self._write(f"{UNITS}/script.service", "\n".join(lines))
        self.machine.run("systemctl", "daemon-reload")
        started = self.machine.run("systemctl", "start", "script", check=False)
        status = int(self.machine.run("systemctl", "show", "--property=ExecMainStatus", "--value", "script").stdout)
        assert (started.returncode == 0, status) in ((True, 0), (False, FAILED)), f"it didn't run: {started.stderr}"
        return status == 0

    @property
    def main_process(self) -> int:
        return int(self("show", "--property=MainPID", "--value"))

    @property
    def runtime(self) -> int:
        return int((self.machine.root / "run/clickbpf" / OWN / "pid").read_text().split()[0])

    def signal(self, name: str) -> None:
        """To the runtime."""
        self.machine.run("kill", "-s", name, str(self.runtime))


@pytest.fixture
def services(router) -> Iterator[Services]:  # noqa: F811
    made = Services(router, cache.cache_directory())
    try:
        yield made
        made("stop")
    finally:
        made.machine.close()


def counted(services: Services) -> int:
    return int(services.clickbpf("read", "-r", OWN, "c.count"))


@pytest.mark.needs("root", "ip", "clang-19", "systemctl", "ping")
def test_a_router_is_started_reloaded_taken_up_again_and_stopped(net, router, services):  # noqa: F811
    services.configure(COUNTS)
    services("start")
    main = services.main_process
    assert f"NSpid:\t{main}" in services.machine.run("cat", f"/proc/{main}/status").stdout
    assert services.machine.run("ps", "-o", "ppid=", "-p", str(services.runtime)).stdout.split() == [str(main)]

    net.namespaces[1].run("ping", "-c", "3", "-i", "0.01", "-W", "1", "10.0.0.2", check=False)
    before = counted(services)
    services.signal("KILL")
    assert eventually(lambda: services.main_process not in (0, main)), "it is started again"
    assert eventually(lambda: services("show", "--property=ActiveState", "--value").strip() == "active")
    assert counted(services) >= before > 0, "with its state"

    services.configure(COUNTS.replace("Counter", "Counter -> more :: Counter"))
    second = services.main_process
    services("reload")
    assert (services.main_process, services.clickbpf("read", "-r", OWN, "more.class")) == (second, "Counter")

    services("stop")
    assert OWN not in services.clickbpf("list")
    assert "xdp" not in router.ip("link", "show", "eth0")


@pytest.mark.needs("root", "ip", "systemctl")
def test_a_clickbpf_that_the_service_does_not_see(services, tmp_path):
    """In /tmp, for example, where nothing but the message would say what is wrong."""
    program = tmp_path / "clickbpf"
    program.symlink_to("/bin/true")
    services.configure(COUNTS)
    services.install(installed(UNIT, tmp_path))
    services.machine.run("systemctl", "daemon-reload")
    assert services.machine.run("systemctl", "start", f"clickbpf@{OWN}", check=False).returncode == 1
    assert f"error: this service sees no {program}" in services.machine.run("cat", "/srv/log").stdout


@pytest.mark.needs("root", "ip", "clang-19", "systemctl")
def test_routers_that_root_loads_beside_the_service_are_its_neighbours(router, services):  # noqa: F811
    """They share a folder, which goes with neither."""
    services.configure(COUNTS.replace("eth1", "eth0"))
    services("start")
    services.clickbpf("load", "-n", "beside", "-e", "FromDevice(eth1) -> Discard")
    assert {line.split()[0] for line in services.clickbpf("list").splitlines()[1:]} == {OWN, "beside"}
    services("restart")
    services("stop")
    assert "beside" in services.clickbpf("list")
    services.clickbpf("unload", "beside")


@pytest.mark.whole
@pytest.mark.needs("root", "ip", "clang-19", "systemctl")
def test_a_runtime_that_hangs_is_ended_and_started_again(router, services):  # noqa: F811
    services.configure(COUNTS)
    services("start")
    main = services.main_process
    services.signal("STOP")
    assert eventually(lambda: services.main_process not in (0, main))


@pytest.mark.needs("root", "ip", "clang-19", "systemctl")
def test_it_may_do_what_routers_need_and_no_more(router, services):  # noqa: F811
    services.configure(COUNTS)
    services("start")
    text = services.machine.run("cat", f"/proc/{services.runtime}/status").stdout
    status = dict(line.split(":\t", 1) for line in text.splitlines())
    allowed = sum(1 << number for number in (*capabilities.NEEDED, capabilities.CAP_IPC_LOCK))
    assert [int(status[each], 16) for each in ("CapEff", "CapPrm", "CapBnd")] == [allowed] * 3
    assert (status["NoNewPrivs"], status["Seccomp"]) == ("1", "2")


#: What uid 0 can do without capabilities, and would take the machine over by.
REFUSED = {
    "a unit": "touch /run/systemd/system/mine.service",
    "the manager": "test -e /run/systemd/private",
    "a file in /run": "touch /run/mine",
    "another program's pins": "mkdir /sys/fs/bpf/mine",
    "a program": "touch /usr/bin/mine",
    "a parameter of the kernel": "cat /proc/sys/kernel/panic_on_oops >/proc/sys/kernel/panic_on_oops",
    "the kernel's log": "echo mine >/dev/kmsg",
    "a disk": "for each in /dev/[svx][dv][a-z] /dev/nvme?n?; do head -c 1 $each && exit; done; exit 1",
    "root's keys": "ls /root",
    "a mount": "unshare --user --map-root-user --mount true",
}


@pytest.mark.needs("root", "ip", "systemctl", "unshare")
def test_a_router_that_went_wrong_reaches_nothing_else(services):
    assert services.confined("touch /run/clickbpf/own /var/lib/clickbpf/own && rm /run/clickbpf/own && mkdir /sys/fs/bpf/clickbpf/own")
    assert services.confined("test ! -c /dev/net/tun || : <>/dev/net/tun")
    assert [what for what, script in REFUSED.items() if services.confined(script)] == []


def documented_drop_in(user: pwd.struct_passwd) -> str:
    """The one of docs/security.md for another user than root."""
    page = (UNIT.parents[1] / "docs" / "security.md").read_text()
    (found,) = re.findall(r"```text\n(\[Unit\]\nRequires=clickbpf-grant@alice.*?)```", page, re.DOTALL)
    found = found.replace("alice", user.pw_name).replace("clickbpf-1000", f"clickbpf-{user.pw_uid}")
    return found.replace("/var/log/captures", "/srv/captures")


@pytest.mark.needs("root", "ip", "clang-19", "systemctl", "ping")
def test_a_user_of_its_own(net, router, services):  # noqa: F811
    user = pwd.getpwnam("nobody")
    services.configure(COUNTS)
    services.machine.run("mkdir", "/srv/captures")
    services.drop_in(documented_drop_in(user))
    services("start")
    net.namespaces[1].run("ping", "-c", "3", "-i", "0.01", "-W", "1", "10.0.0.2", check=False)
    as_user = ["setpriv", "--reuid", user.pw_name, "--clear-groups", "--"]
    assert services.machine.run(*as_user, *command("read", "-r", OWN, "c.count")).stdout.strip() != "0"
    assert OWN not in services.clickbpf("list")
    services.machine.run("systemctl", "stop", f"clickbpf-grant@{user.pw_name}")
    assert not (services.machine.root / f"run/clickbpf-{user.pw_uid}").exists()
    assert "xdp" not in router.ip("link", "show", "eth0")


@pytest.mark.needs("systemd-analyze")
def test_systemd_calls_the_unit_safe(tmp_path):
    """Of 10 that a unit without any such line gets (`systemd-analyze security`); below 4 it says OK."""
    unit = tmp_path / UNIT.name
    unit.write_text(UNIT.read_text().replace("@BIN@", "/bin"))
    line = ["systemd-analyze", "security", "--offline=true", "--threshold=39", str(unit)]
    done = subprocess.run(line, capture_output=True, text=True)
    assert done.returncode == 0, done.stdout


@pytest.mark.needs("systemd-analyze")
@pytest.mark.parametrize("file", [UNIT, GRANT], ids=lambda file: file.name)
def test_systemd_finds_nothing_wrong_with_the_unit(tmp_path, file):
    unit = tmp_path / file.name
    unit.write_text(file.read_text().replace("@BIN@", "/bin").replace("/bin/clickbpf", "/bin/true"))
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
