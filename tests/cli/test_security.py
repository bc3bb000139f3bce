"""What hostile users of the machine and clients of control sockets try on a loaded router, and don't get."""

import fcntl
import json
import os
import signal
import stat
import subprocess
import sys
import time
from contextlib import contextmanager
from functools import partial
from pathlib import Path

import pytest

from clickbpf.errors import ClickError
from clickbpf.load.devices.record import record
from clickbpf.load.files import places
from clickbpf.load.files.places import Pins, RunFolder
from clickbpf.load.files.process import Process
from clickbpf.load.life.reload import request_as_loaded
from clickbpf.load.process import service
from clickbpf.runtime.client import ControlClient
from clickbpf.runtime.handlers import HandlerError
from clickbpf.ui.subjects import RunningRouter

from .conftest import OWN, command, environment, execute, kill

pytestmark = pytest.mark.needs("root", "ip", "clang-19", "bpftool")

#: Where routers listen, each in a network namespace of its own.
PORT = 7777


@pytest.fixture
def listening(router, cable):
    """A loaded router that listens on TCP as well."""
    router.ip("link", "set", "lo", "up")
    cable.write_text(f"{cable.read_text()}ControlSocket(TCP, {PORT}, LOCALHOST true);\n")
    done = execute(router, "load", str(cable))
    assert done.status == 0, done.err
    return RunFolder.of(OWN)


@contextmanager
def umask(mask: int):
    before = os.umask(mask)
    try:
        yield
    finally:
        os.umask(before)


@pytest.fixture
def trap(listening, tmp_path):
    """A folder that looks like a loaded router's, whose library is Python code that leaves a mark; and that mark."""
    folder, library, mark = tmp_path / "trap", tmp_path / "library", tmp_path / "mark"
    folder.mkdir()
    library.mkdir()
    (library / "trap.py").write_text(f"open({str(mark)!r}, 'w')\n")
    (folder / "router.o").write_bytes(listening.object.read_bytes())
    record = json.loads(listening.record.read_text())
    (folder / "record.json").write_text(json.dumps({**record, "library": [str(library)]}))
    return folder, mark


def test_the_network_only_reads_unless_it_is_allowed_to_write(router, listening, cable):
    """Also after another configuration has taken the router's place, for clients that are connected."""
    with router.call(ControlClient, ("127.0.0.1", PORT)) as client:
        assert client.read("c.count") == "0"
        with pytest.raises(HandlerError, match="Permission denied"):
            client.write("c.reset", "")
        with pytest.raises(HandlerError, match="Permission denied"):
            client.call("CHECKWRITE c.reset")
        assert execute(router, "write", "-r", OWN, "c.reset").status == 0, "the owner's socket is another one"
        cable.write_text(cable.read_text().replace("LOCALHOST true", "LOCALHOST true, READONLY false"))
        assert execute(router, "load", "--replace", str(cable)).status == 0
        client.write("c.reset", "")
        for right in ("n.count_call", "hotconfig"):
            with pytest.raises(HandlerError, match="Permission denied|No handler|no element"):
                client.write(right.replace("n.", "c."), "1 stop")


def test_no_client_makes_the_service_load_code(router, listening, trap):
    folder, mark = trap
    with router.call(ControlClient, ("127.0.0.1", PORT)) as client:
        with pytest.raises(HandlerError, match="takeover"):
            client.write("takeover", str(folder))
        assert not mark.exists()
        with pytest.raises(HandlerError, match="unimplemented"):
            client.call("TAKEOVER")
    with ControlClient(listening.control) as client:
        with pytest.raises(HandlerError, match="takeover"):
            client.write("takeover", str(folder))
        with pytest.raises(HandlerError, match="Wrong number"):
            client.call(f"TAKEOVER {folder}")
    assert not mark.exists()


def test_no_record_makes_who_looks_load_code(router, listening, tmp_path):
    """A router with the unit's capabilities can write into its folder, and is root there."""
    library, mark = listening.root / "library", tmp_path / "mark"
    library.mkdir()
    (library / "counter.py").write_text(f"open({str(mark)!r}, 'w')\n")
    listening.record.write_text(json.dumps({**json.loads(listening.record.read_text()), "library": [str(library)]}))

    def refused(*words: str) -> bool:
        done = execute(router, *words)
        return done.status == 1 and f"the element classes in {library} aren't imported" in done.err

    assert refused("top", "--json", OWN)
    assert execute(router, "metrics", OWN).status == 0, "the other routers are shown"
    assert refused("trace", "-c", "1", OWN)
    for look in (RunningRouter.shown, partial(RunningRouter.surroundings, text="")):
        with pytest.raises(ClickError, match="aren't imported"):
            look(RunningRouter(OWN))
    with pytest.raises(ClickError, match="aren't imported"):
        content = listening.object.read_bytes()
        router.call(request_as_loaded, OWN, content, record(listening), print)
    kill(service.alive(listening))
    assert refused("read", "-r", OWN, "c.count")
    assert refused("load", "--runtime-only", OWN)
    assert not mark.exists()


def modes(folder: Path) -> dict[str, str]:
    return {str(path): stat.filemode(path.lstat().st_mode) for path in (folder, *folder.rglob("*"))}


@pytest.mark.parametrize("mask", [0, 0o022])
def test_state_is_its_owners_alone_whatever_the_umask(router, cable, mask):
    with umask(mask):
        assert execute(router, "load", str(cable)).status == 0
        assert execute(router, "load", "--replace", str(cable)).status == 0
    folder = modes(RunFolder.of(OWN).root)
    assert {"router.o", "record.json", "pid", "log", "control"} <= {Path(name).name for name in folder}
    for name, mode in folder.items():
        assert mode[1:] in ("rwx------", "rw-------"), name
    for above in (places.RUN, Pins.of(OWN).root, Pins.of(OWN).root.parent):
        assert stat.filemode(above.stat().st_mode) == "drwx------"


def test_others_can_neither_read_nor_ask_nor_lock(router, cable):
    """As the user nobody, who could do all of it while the folder was open to read."""
    with umask(0):
        assert execute(router, "load", str(cable)).status == 0
    folder = RunFolder.of(OWN)
    script = f"""
import fcntl, os, socket
for attempt in (
    lambda: open({str(folder.object)!r}).close(),
    lambda: socket.socket(socket.AF_UNIX).connect({str(folder.control)!r}),
    lambda: fcntl.flock(os.open({str(places.RUN)!r}, os.O_RDONLY), fcntl.LOCK_EX),
    lambda: fcntl.flock(os.open({str(folder.pid)!r}, os.O_RDONLY), fcntl.LOCK_EX),
):
    try:
        attempt()
    except PermissionError:
        print("refused")
"""
    done = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, user="nobody", group="nogroup", extra_groups=[])
    assert done.stdout.split() == ["refused"] * 4, done.stderr


def test_who_waits_for_the_lock_says_for_whom(router, cable):
    assert execute(router, "load", str(cable)).status == 0
    lock = os.open(places.RUN, os.O_RDONLY)
    fcntl.flock(lock, fcntl.LOCK_EX)
    waiting = subprocess.Popen(command("unload", OWN), stderr=subprocess.PIPE, text=True, env=environment())
    try:
        assert f"waiting for the lock on {places.RUN}, which process {os.getpid()} (" in waiting.stderr.readline()
    finally:
        os.close(lock)
    assert (waiting.communicate()[1], waiting.returncode) == (f"{OWN} unloaded\n", 0)


def test_another_process_is_not_taken_for_the_runtime(router, cable):
    """One that has the number of a runtime that died is neither listed nor ended; nor does a lock on the file count."""
    assert execute(router, "load", str(cable)).status == 0
    folder = RunFolder.of(OWN)
    os.kill(service.alive(folder), signal.SIGKILL)
    with subprocess.Popen(["sleep", "60"]) as other, open(folder.pid, "r+") as file:
        try:
            fcntl.flock(file, fcntl.LOCK_EX)
            until(lambda: "degraded" in execute(None, "list").out)
            for recorded in (f"{other.pid}\n", f"{Process(other.pid, 1)}\n"):
                folder.pid.write_text(recorded)
                assert "degraded" in execute(None, "list").out
            assert execute(router, "unload", OWN).status == 0
            assert other.poll() is None
        finally:
            other.kill()


def until(happened) -> None:
    end = time.monotonic() + 60
    while not happened():
        assert time.monotonic() < end
        time.sleep(0.05)
