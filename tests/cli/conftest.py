"""Running commands: in this process, or – where signals, namespaces or what survives matter – in one of their own."""

import os
import re
import select
import shutil
import signal
import sys
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path

import pytest
from tests import commands

from clickbpf.build.host import build_library
from clickbpf.cli.main import main
from clickbpf.load.files import places
from clickbpf.testing.netns import Namespace, Network

#: For the names of routers: no other process uses them.
OWN = f"ct{os.getpid()}"


@dataclass(frozen=True)
class Done:
    status: int
    out: str
    err: str


@pytest.fixture
def clickbpf(capfd) -> Callable[..., Done]:
    """Runs a command line here."""

    def run(*words: str) -> Done:
        capfd.readouterr()
        try:
            status = main(words)
        except SystemExit as ended:  # argparse's way to refuse
            status = ended.code
        out, err = capfd.readouterr()
        return Done(status, out, err)

    return run


def command(*words: str) -> list[str]:
    return [sys.executable, "-m", "clickbpf.cli.main", *words]


def environment() -> dict[str, str]:
    return {**os.environ, "PYTHONPATH": os.pathsep.join(filter(None, sys.path))}


def execute(namespace: Namespace | None, *words: str) -> Done:
    """Run a command line in a process of its own. That it waited while another test loaded a router is left out."""
    done = commands.run(namespace, *words)
    return Done(done.returncode, done.stdout, re.sub(r"^warning: waiting for the lock .*\n", "", done.stderr, flags=re.MULTILINE))


def give_library(cache: Path, owner: int = 0) -> None:
    """Have a new cache contain the runtime's library, whose compilation takes longer than all else that a test does with the cache."""
    cache.mkdir(mode=0o700, exist_ok=True)
    file = shutil.copy2(build_library(), cache)
    for path in (cache, file):
        os.chown(path, owner, owner)


def kill(pid):
    """Kill a process; its sockets are closed at the end of this, when all its threads are gone."""
    with open(os.pidfd_open(pid)) as process:
        signal.pidfd_send_signal(process.fileno(), signal.SIGKILL)
        ended = select.poll()
        ended.register(process, select.POLLIN)
        assert ended.poll(60_000)


@pytest.fixture
def net() -> Iterator[Network]:
    with Network() as network:
        yield network


@pytest.fixture
def router(net: Network) -> Iterator[Namespace]:
    """A namespace with eth0 and eth1, cabled to hosts 10.0.0.1 and 10.0.0.2 of one subnet. Routers are unloaded at the end."""
    made = net.namespace("router")
    for number in (1, 2):
        host = net.namespace(f"host{number}")
        net.veth(made, f"eth{number - 1}", host, "eth0")
        host.address("eth0", f"10.0.0.{number}/24")
    yield made
    for name in list(places.loaded()):
        if name.startswith(OWN):
            execute(made, "unload", name)


@pytest.fixture
def cable(tmp_path):
    """A configuration that forwards between eth0 and eth1, and counts."""
    file = tmp_path / f"{OWN}.click"
    file.write_text("FromDevice(eth0) -> c :: Counter -> Queue -> ToDevice(eth1);\nFromDevice(eth1) -> Queue -> ToDevice(eth0);\n")
    return file
