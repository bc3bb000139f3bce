"""A user other than root loads routers with the capabilities that docs/security.md names, and no more; others reach nothing of them."""

import fcntl
import os
import signal
import subprocess
import sys
import tempfile
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

import pytest
from tests import commands
from tests.apart import in_the_machines
from tests.cli.conftest import OWN, environment, give_library, kill
from tests.waiting import eventually

from clickbpf.errors import ClickError
from clickbpf.load.files import places
from clickbpf.load.kernel import bpffs, capabilities, libxdp, users
from clickbpf.load.kernel.fds import Map
from clickbpf.testing.netns import Namespace
from clickbpf.testing.traffic import ping

pytestmark = pytest.mark.needs("root", "setpriv", "ip", "ethtool", "clang-19", "ping")

#: A user that nobody is, and another one.
UID = 1_000_000 + os.getpid()
STRANGER = UID + 10_000_000
#: As setpriv(1) calls them. AF_XDP's frames are locked memory, of which the limit here may allow too little.
RIGHTS = tuple(f"cap_{number}" for number in (*capabilities.NEEDED, capabilities.CAP_IPC_LOCK))
CABLE = "in :: FromDevice(eth0) -> c :: Counter -> Queue -> ToDevice(eth1); FromDevice(eth1) -> Queue -> ToDevice(eth0);"
#: BPF_MAP_TYPE_ARRAY
ARRAY = 2
Command = Callable[..., subprocess.CompletedProcess]


def privileged(*words: str, check: bool = True) -> subprocess.CompletedProcess:
    return commands.run(None, *words, check=check)


@pytest.fixture(scope="module", autouse=True)
def folders() -> Iterator[None]:
    with in_the_machines():
        yield


@pytest.fixture
def box(net) -> Namespace:
    """eth0 and eth1, cabled to 10.0.0.1 and 10.0.0.2. What routers change at the other ends of cables is done: the user may not."""
    made = net.namespace("router")
    for number in (1, 2):
        net.host(f"host{number}", made, f"eth{number - 1}", f"10.0.0.{number}/24")
    return made


@pytest.fixture
def granted() -> Iterator[int]:
    privileged("grant", str(UID))
    yield UID
    with suppress(ClickError):
        privileged("grant", "--revoke", str(UID))
    assert not users.home(UID).exists()


@pytest.fixture(scope="module")
def cache() -> Iterator[str]:
    """The user's; pytest's own folders are for their owner only."""
    with tempfile.TemporaryDirectory() as folder:
        give_library(Path(folder), UID)
        yield folder


@pytest.fixture
def user(box, cache) -> Command:
    """Runs a command line as the user; `rights` are the capabilities."""

    def run(*words: str, rights: tuple[str, ...] = RIGHTS, uid: int = UID) -> subprocess.CompletedProcess:
        sets = ",".join(["-all", *(f"+{right}" for right in rights)])
        identity = ["setpriv", "--reuid", str(uid), "--regid", str(uid), "--clear-groups", "--no-new-privs", "--inh-caps", sets]
        line = [*identity, "--ambient-caps", sets, "--bounding-set", sets, "--", sys.executable, "-m", "clickbpf.cli.main", *words]
        surroundings = {**environment(), "CLICKBPF_CACHE": cache, "HOME": "/nonexistent"}
        return subprocess.run(box.command(*line), capture_output=True, text=True, timeout=180, env=surroundings, cwd="/")

    return run


def offload(box: Namespace) -> str:
    lines = box.run("ethtool", "-k", "eth0").stdout.splitlines()
    return next(line for line in lines if line.startswith("rx-vlan-offload"))


def process() -> int:
    return int((users.run(UID) / OWN / "pid").read_text().split()[0])


@pytest.mark.whole
def test_a_routers_whole_life(net, box, granted, user):
    def does(*words: str) -> str:
        done = user(*words)
        assert done.returncode == 0, done.stderr
        return done.stdout

    before = offload(box)
    does("load", "-n", OWN, "-e", CABLE)
    assert users.run(UID).joinpath(OWN).stat().st_uid == UID
    assert ping(net.namespaces[1], "10.0.0.2", 3) == 3
    assert int(does("read", "-r", OWN, "c.count")) >= 3
    does("write", "-r", OWN, "c.reset", "")
    assert OWN in does("list")

    ringing = net.namespaces[1].popen("ping", "-i", "0.05", "10.0.0.2", stdout=subprocess.DEVNULL)
    assert "Counter" in does("trace", OWN, "-c", "1")
    does("load", "--replace", "-n", OWN, "-e", CABLE.replace("Counter", "Counter -> d :: Counter"))
    assert eventually(lambda: int(does("read", "-r", OWN, "d.count")) > 0)
    ringing.kill()

    counted = int(does("read", "-r", OWN, "d.count"))
    kill(process())
    does("load", "--resume", "-n", OWN, "-e", CABLE)
    assert int(does("read", "-r", OWN, "d.count")) >= counted
    does("unload", OWN)
    assert "xdp" not in box.ip("-d", "link", "show", "eth0")
    assert offload(box) == before
    assert not list(users.run(UID).iterdir()) and not (users.bpffs(UID) / "clickbpf").exists()


@pytest.mark.whole
def test_devices_of_its_own_and_tc(net, box, granted, user):
    own = "FromHost(fake0, 10.9.0.1/24) -> Discard; " + CABLE.replace("Counter", "Counter -> Print")
    done = user("load", "-n", OWN, "--hook", "tc", "-e", own)
    assert done.returncode == 0, done.stderr
    assert ping(net.namespaces[1], "10.0.0.2", 3) == 3
    assert user("unload", OWN).returncode == 0
    assert "fake0" not in box.ip("link")


@pytest.mark.whole
@pytest.mark.parametrize("missing", [38, 39])
def test_what_is_missing_is_named(granted, user, missing):
    rights = tuple(right for right in RIGHTS if right != f"cap_{missing}")
    done = user("load", "-n", OWN, "-e", CABLE, rights=rights)
    assert done.returncode == 1 and capabilities.NEEDED[missing] in done.stderr and "docs/security.md" in done.stderr
    found = user("doctor", rights=rights)
    assert found.returncode == 1 and f"this process lacks {capabilities.NEEDED[missing]}\n" in found.stdout


def test_who_has_no_folder_hears_who_makes_it(user):
    done = user("load", "-n", OWN, "-e", CABLE)
    assert done.returncode == 1 and f"hint: clickbpf grant {UID}, as root" in done.stderr
    assert f"clickbpf grant {UID}, as root" in user("doctor").stdout


def test_nobody_else_gets_in(granted, user):
    assert user("load", "-n", OWN, "-e", CABLE).returncode == 0
    try:
        own = [users.run(UID), users.bpffs(UID), users.run(UID) / OWN, users.bpffs(UID) / "clickbpf"]
        assert [path.stat().st_mode & 0o077 for path in own] == [0] * len(own)
        place = str(users.run(UID) / OWN / "control")
        connect = f"import socket; socket.socket(socket.AF_UNIX).connect({place!r})"
        line = ["setpriv", "--reuid", str(STRANGER), "--clear-groups", "--inh-caps=-all", "--", sys.executable, "-c", connect]
        assert "PermissionError" in subprocess.run(line, capture_output=True, text=True).stderr
        # Not even with the same capabilities, and a folder of its own.
        privileged("grant", str(STRANGER))
        assert f"no router named {OWN}" in user("unload", OWN, uid=STRANGER).stderr
        refused = privileged("grant", "--revoke", str(UID), check=False)
        assert refused.returncode == 1 and f"routers of this user are loaded: {OWN}" in refused.stderr
    finally:
        privileged("grant", "--revoke", str(STRANGER))
        assert user("unload", OWN).returncode == 0


def test_only_root_grants(user):
    assert "only root" in user("grant", str(UID)).stderr
    assert not users.home(UID).exists()


def test_a_grant_that_was_interrupted_is_finished(granted):
    """After the mount, before the owner was set."""
    os.chown(users.bpffs(UID), 0, 0)
    privileged("grant", str(UID))
    assert users.bpffs(UID).stat().st_uid == UID


def test_one_grant_at_a_time():
    """The lock is that of root's own routers, which nobody else can take."""
    places.RUN.mkdir(mode=0o700, exist_ok=True)
    lock = os.open(places.RUN, os.O_RDONLY)
    fcntl.flock(lock, fcntl.LOCK_EX)
    try:
        with ended(commands.start(None, "grant", str(UID), stderr=subprocess.PIPE, text=True)) as waiting:
            assert "waiting for the lock" in waiting.stderr.readline() and not users.home(UID).exists()
            fcntl.flock(lock, fcntl.LOCK_UN)
            waiting.communicate(timeout=180)
            assert waiting.returncode == 0 and users.bpffs(UID).stat().st_uid == UID
    finally:
        os.close(lock)
        privileged("grant", "--revoke", str(UID), check=False)


@contextmanager
def ended(process: subprocess.Popen) -> Iterator[subprocess.Popen]:
    """A process that is killed at the end."""
    with process:
        try:
            yield process
        finally:
            process.kill()


JUNK = "\x1b[2J\x1b]0;mine\x07"


@pytest.mark.whole
def test_what_the_user_has_put_there_does_not_keep_it(granted):
    """Names that would do something to root's terminal, names of routers without one, pins that attach nothing, deep folders, and a
    process that stays in one."""
    run, pins = users.run(UID), users.bpffs(UID)
    for name in (JUNK, "router", f"x{JUNK}"):
        (run / name).mkdir()
    os.mkfifo(run / "router" / "pid")
    (pins / "clickbpf" / JUNK.replace(".", "")).mkdir(parents=True)
    (pins / "clickbpf" / "router" / "links").mkdir(parents=True)
    with Map.create(ARRAY, "junk", 4, 4, 1) as made:
        made.pin(pins / "clickbpf" / "router" / "links" / "eth0")
    os.symlink("/", pins / "clickbpf" / "everything")
    deepest = os.open(run, os.O_RDONLY)
    for _ in range(sys.getrecursionlimit() + 100):
        os.mkdir("d", dir_fd=deepest)
        above, deepest = deepest, os.open("d", os.O_RDONLY, dir_fd=deepest)
        os.close(above)
    os.close(deepest)
    with ended(subprocess.Popen(["sleep", "1000"], cwd=pins / "clickbpf")):
        done = privileged("grant", "--revoke", str(UID), check=False)
    assert done.returncode == 0 and done.stderr.endswith(f"{UID} can no longer load routers\n") and "\x1b" not in done.stderr
    assert not users.home(UID).exists()


def test_a_command_of_the_user_is_not_cut_short(granted):
    lock = os.open(users.run(UID), os.O_RDONLY)
    fcntl.flock(lock, fcntl.LOCK_EX)
    try:
        done = privileged("grant", "--revoke", str(UID), check=False)
        assert done.returncode == 1 and "is changing what is loaded" in done.stderr
        assert users.home(UID).stat().st_mode & 0o777 == 0o755, "the user still gets in"
        privileged("grant", "--revoke", "--force", str(UID))
    finally:
        os.close(lock)


def test_root_can_end_it_all_the_same(box, granted, user):
    assert user("load", "-n", OWN, "-e", CABLE).returncode == 0
    runtime = process()
    refused = privileged("grant", "--revoke", str(UID), check=False)
    assert refused.returncode == 1 and f"are loaded: {OWN}\n" in refused.stderr
    privileged("grant", "--revoke", "--force", str(UID))
    assert not users.home(UID).exists()
    assert eventually(lambda: not Path(f"/proc/{runtime}").exists())
    assert eventually(lambda: "xdp" not in box.ip("-d", "link", "show", "eth0"))


def test_a_kernel_path_without_its_runtime_keeps_the_grant(granted, user):
    """And another grant keeps the router."""
    assert user("load", "-n", OWN, "-e", CABLE).returncode == 0
    privileged("grant", str(UID))
    assert OWN in user("list").stdout and bpffs.is_bpffs(users.bpffs(UID))
    runtime = process()
    os.kill(runtime, signal.SIGKILL)
    assert eventually(lambda: not Path(f"/proc/{runtime}").exists())
    try:
        refused = privileged("grant", "--revoke", str(UID), check=False)
        assert refused.returncode == 1 and f"are loaded: {OWN}\n" in refused.stderr
    finally:
        assert user("unload", OWN).returncode == 0


def test_a_member_of_a_dispatcher_keeps_the_grant(granted):
    """What a router beside others pins in a link's place (member.py)."""
    links = users.bpffs(UID) / "clickbpf" / OWN / "links"
    links.mkdir(parents=True)
    with libxdp.member_map(7) as made:
        made.pin(links / "eth0")
    refused = privileged("grant", "--revoke", str(UID), check=False)
    (links / "eth0").unlink()
    assert refused.returncode == 1 and f"are loaded: {OWN}\n" in refused.stderr


def test_names_in_command_lines_are_not_shown(granted):
    """A process of the user that looks like a router's."""
    code = "import time; print(flush=True); time.sleep(1000)"
    pretending = [sys.executable, "-c", code, "clickbpf.load.process.service", JUNK]
    line = ["setpriv", "--reuid", str(UID), "--clear-groups", "--", *pretending]
    with ended(subprocess.Popen(line, stdout=subprocess.PIPE)) as pretender:
        pretender.stdout.readline()
        done = privileged("grant", "--revoke", str(UID), check=False)
    assert done.returncode == 1 and f"are loaded: process {pretender.pid}\n" in done.stderr


@pytest.mark.parametrize("name", ["no-such-user", "99999999999", "0", "root"])
def test_users_that_nothing_is_granted(name):
    done = privileged("grant", name, check=False)
    assert done.returncode == 1 and ("there is no user" in done.stderr or "root needs nothing" in done.stderr)
    assert not Path("/run/clickbpf-0").exists()
