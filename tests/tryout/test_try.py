"""`clickbpf try`: hosts that reach each other through the router, and nothing left however it ends."""

import os
import pty
import re
import signal
import subprocess
import sys
from contextlib import suppress
from pathlib import Path

import pytest
from tests import commands
from tests.waiting import eventually

from clickbpf.errors import ClickError
from clickbpf.load.files import places
from clickbpf.testing.netns import made_under
from clickbpf.tryout.addresses import Host
from clickbpf.tryout.lab import PREFIX, Lab, remove_stale

pytestmark = pytest.mark.needs("root", "ip", "ethtool", "nsenter", "ping", "clang-19")

CONFIGS = Path(__file__).parents[2] / "configs"
CLICKBPF = (sys.executable, "-m", "clickbpf.cli.main")
CABLE = "FromDevice(eth0) -> c :: Counter -> Queue -> ToDevice(eth1); FromDevice(eth1) -> Queue -> ToDevice(eth0)"
#: Compiling and loading, on a busy machine.
PATIENCE = 120


def command(*arguments):
    return [*CLICKBPF, "try", *map(str, arguments)]


def attempt(*arguments, **options):
    started = commands.start(None, "try", *map(str, arguments), stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, **options)
    out, err = started.communicate(timeout=PATIENCE)
    assert left(started.pid) == []
    return started.returncode, out, err


def left(owner):
    """What is there of a process's trial."""
    routers = [name for name in places.loaded() if name == f"{PREFIX}{owner}"]
    return [*routers, *(path.name for path, made_by in made_under(PREFIX) if made_by == owner)]


@pytest.fixture
def started():
    """A trial that goes on: its process when it is all there. A hangup ends it, even if the tests themselves are run by nohup."""
    words = ["env", "--default-signal=HUP", *command("-e", CABLE, "--", "sleep", "1000")]
    running = subprocess.Popen(words, stderr=subprocess.DEVNULL, start_new_session=True)
    try:
        assert eventually(lambda: sleeper(running.pid), PATIENCE)
        yield running
    finally:
        running.kill()
        running.wait()


def sleeper(owner):
    """The command's process."""
    return next((pid for pid in children(owner) if commandline(pid)[:1] == ["sleep"]), None)


def children(owner):
    return [int(pid) for pid in Path(f"/proc/{owner}/task/{owner}/children").read_text().split()]


def commandline(pid):
    """Its words; none when the process has ended, whether its parent has noticed or not."""
    with suppress(FileNotFoundError, ProcessLookupError):
        return Path(f"/proc/{pid}/cmdline").read_text().split("\0")[:-1]
    return []


@pytest.mark.parametrize(
    "config, host, address, ttl",
    [
        ("iprouter.click", "eth0", "10.0.1.2", 63),
        ("iprouter.click", "eth1", "2001:db8::2", 63),
        ("iprouter.click", "eth1", "2001:db8:1::1", 64),
        pytest.param("nat.click", "eth0", "198.51.100.254", 63, marks=pytest.mark.whole),
        pytest.param("switch.click", "eth3", "10.0.0.2", 64, marks=pytest.mark.whole),
    ],
)
def test_hosts_reach_each_other(config, host, address, ttl):
    status, out, err = attempt(CONFIGS / config, "--host", host, "--", "ping", "-n", "-c1", "-W60", address)
    assert status == 0, err
    assert f"ttl={ttl} " in out


@pytest.mark.whole
def test_the_routers_own_namespace():
    script = f"ip -br -4 address; {sys.executable} -m clickbpf.cli.main read nat.size"
    status, out, err = attempt(CONFIGS / "nat.click", "OUT_ADDR=198.51.100.9/24", "--host", "router", "--", "sh", "-c", script)
    assert status == 0 and out.endswith("\n0\n"), err
    assert "192.168.0.1/24" in out and "198.51.100.9/24" in out
    assert "198.51.100.1/24" not in out


def test_the_status_is_the_commands():
    """`on` is a command, too, and so scripts of any shell have it."""
    script = "ip -br -4 address show dev eth0; on eth0 sh -c 'exit 7'"
    status, out, err = attempt("-e", CABLE, "--", "on", "eth1", "sh", "-c", script)
    assert status == 7 and "10.0.0.2/24" in out, err
    assert attempt("-e", CABLE, "--", "sh", "-c", "kill -9 $$")[0] == 128 + 9


def test_a_shell_reaches_all_hosts_until_it_ends():
    """On a terminal, as a user would; Ctrl-D ends it, and with it what it has started."""
    master, slave = pty.openpty()
    shell = subprocess.Popen(command("-e", CABLE), stdin=slave, stdout=slave, stderr=slave, start_new_session=True)
    os.close(slave)
    said = b""

    def until(pattern):
        nonlocal said
        while not re.search(pattern, said):
            said += os.read(master, 4096)
        said, before = b"", said
        return before.decode()

    assert f"'try{shell.pid}'" in until(rb"eth0# ")
    os.write(master, b"on eth1 ip -br -4 address show dev eth0; on nowhere true; sleep 1000 &\n")
    shown = until(rb"(?s)\[1\] \d+\r\n.*eth0# ")
    assert "10.0.0.2/24" in shown and "there is no host 'nowhere'" in shown
    os.write(master, b"\x04")
    eventually(lambda: shell.poll() is not None)
    os.close(master)
    assert shell.returncode is not None and left(shell.pid) == []


def test_commands_come_from_standard_input_too():
    pings = "ping -n -c1 -W60 10.0.0.2; on eth1 ping -n -c1 -W60 10.0.0.1"
    done = subprocess.run(command("-e", CABLE), input=pings, capture_output=True, text=True)
    assert done.stdout.count(" 0% packet loss") == 2, done.stdout + done.stderr


@pytest.mark.whole
def test_the_command_is_found_though_it_is_not_on_path():
    path = {**os.environ, "PATH": "/usr/sbin:/usr/bin:/sbin:/bin"}
    done = subprocess.run(command("-e", CABLE), input="clickbpf read c.count", capture_output=True, text=True, env=path)
    assert done.stdout.splitlines()[-1].isdecimal(), done.stdout + done.stderr


@pytest.mark.parametrize("number", [signal.SIGTERM, signal.SIGHUP])
def test_nothing_is_left_when_it_is_ended(started, number):
    inside = sleeper(started.pid)
    assert len(left(started.pid)) == 4
    started.send_signal(number)
    assert started.wait(PATIENCE) == 128 + number
    assert left(started.pid) == [] and not commandline(inside)


def test_an_interrupt_is_the_commands(started):
    os.killpg(started.pid, signal.SIGINT)
    assert started.wait(PATIENCE) == 128 + signal.SIGINT
    assert left(started.pid) == []


def test_nothing_is_left_when_it_is_killed(started):
    inside = sleeper(started.pid)
    started.kill()
    started.wait()
    assert eventually(lambda: not left(started.pid))
    assert not commandline(inside)


@pytest.mark.whole
def test_the_next_one_removes_what_is_left_when_all_is_killed(started):
    (guard,) = (pid for pid in children(started.pid) if "clickbpf.tryout.guard" in commandline(pid))
    os.kill(guard, signal.SIGKILL)
    started.kill()
    started.wait()
    assert left(started.pid)
    remove_stale()
    assert left(started.pid) == []


def test_mistakes_are_reported_before_anything_is_made():
    status, out, err = attempt("-e", "FromDevice(eth0) -> Discrad", "--", "true")
    assert status == 1 and "Discard" in err
    status, out, err = attempt("-e", CABLE, "--host", "eth7", "--", "true")
    assert status == 1 and "there are eth0, eth1, router" in err


@pytest.mark.parametrize("name", ["a_very_long_name", "a/b", "a b", "a:1", "..", "é" * 8])
def test_names_that_no_device_can_have(name):
    with pytest.raises(ClickError, match=f"no device can have the name '{name}'"), Lab({}, {"eth0": Host(()), name: Host(())}):
        pass
    assert not [path for path, owner in made_under(PREFIX) if owner == os.getpid()]
