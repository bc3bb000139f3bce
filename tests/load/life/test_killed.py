"""A command that is killed at any step leaves what the next one puts right: nothing stays attached, pinned or running."""

import os
import re
import subprocess
from functools import partial

import pytest
from tests import commands
from tests.cli.conftest import kill
from tests.load import killed
from tests.load.translated import PORTS, TRANSLATES, conversation

from clickbpf.load.files.places import Pins, RunFolder
from clickbpf.load.process import service
from clickbpf.testing.netns import Namespace
from clickbpf.testing.traffic import ping

pytestmark = pytest.mark.needs("root", "ip", "tc", "ethtool", "clang-19")

NAME = f"killed{os.getpid()}"
CABLE = (
    "in :: FromDevice(eth0) -> c :: Counter -> Queue -> ToDevice(eth1.7); FromDevice(eth1.7) -> Queue -> ToDevice(eth0);"
)
#: Steps between two that are tried.
STRIDE = 7


def execute(router: Namespace, last: int, *words: str) -> subprocess.CompletedProcess:
    return commands.run(router, *words, entry=partial(killed.run, last))


def steps(router: Namespace, *words: str, stride: int = STRIDE) -> range:
    """Of a command that is let run: those to be killed at, the last among them."""
    done = execute(router, 0, *words)
    assert done.returncode == 0, done.stderr
    taken = int(re.search(r"(\d+) steps", done.stderr)[1])
    return range(taken, 0, -stride)


def clean(router: Namespace) -> bool:
    attached = [router.ip("-d", "link", "show", "dev", device) for device in ("eth0", "eth1.7")]
    return not any("prog/xdp" in text for text in attached) and not RunFolder.of(NAME).exists() and not Pins.of(NAME).exists()


@pytest.mark.whole
def test_load(net, router):
    load = ("load", "-n", NAME, "-e", CABLE)
    to_try = steps(router, *load)
    assert execute(router, 0, "unload", NAME).returncode == 0
    assert len(to_try) > 3
    left = 0
    for last in to_try:
        assert execute(router, last, *load).returncode == -9
        left += not clean(router)
        done = execute(router, 0, "unload", NAME)
        assert clean(router), f"killed at step {last}: {done.stderr}"
    assert left > 1, "the steps are those of loading"
    assert execute(router, 0, *load).returncode == 0
    assert ping(net.namespaces[1], "10.0.0.2", 2) == 2
    assert execute(router, 0, "unload", NAME).returncode == 0


@pytest.mark.whole
def test_resume(net, router):
    """Of a router whose runtime is gone, too: translated conversations go on all the time, with the ports that they have."""
    resume = ("load", "--resume", "-n", NAME, "-e", TRANSLATES)
    assert execute(router, 0, *resume).returncode == 0
    with conversation(net, 7) as spoken:
        port = spoken.seen()
        assert port in PORTS
        kill(service.alive(RunFolder.of(NAME)))
        for last in steps(router, *resume, stride=1):
            kill(service.alive(RunFolder.of(NAME)))
            assert execute(router, last, *resume).returncode == -9
            assert spoken.seen() == port, f"killed at step {last}"
            done = execute(router, 0, *resume)
            assert done.returncode == 0 and service.alive(RunFolder.of(NAME)), f"killed at step {last}: {done.stderr}"
            assert spoken.seen() == port, f"killed at step {last}"
    assert execute(router, 0, "unload", NAME).returncode == 0
    assert clean(router)


def test_unload(router):
    load = ("load", "-n", NAME, "-e", CABLE)
    assert execute(router, 0, *load).returncode == 0
    to_try = steps(router, "unload", NAME)
    for last in to_try:
        assert execute(router, 0, *load).returncode == 0
        assert execute(router, last, "unload", NAME).returncode == -9
        done = execute(router, 0, "unload", NAME)
        assert clean(router), f"killed at step {last}: {done.stderr}"


@pytest.mark.whole
def test_replace(net, router):
    """Killed while one router takes another's place, it leaves one of the two or what can be taken out."""
    load = ("load", "-n", NAME, "-e", CABLE)
    assert execute(router, 0, *load).returncode == 0
    to_try = steps(router, *load, "--replace")
    for last in to_try:
        assert execute(router, last, *load, "--replace").returncode == -9
        execute(router, 0, "unload", NAME)
        done = execute(router, 0, *load)
        assert done.returncode == 0, f"killed at step {last}: {done.stderr}"
        assert ping(net.namespaces[1], "10.0.0.2", 2) == 2
    assert execute(router, 0, "unload", NAME).returncode == 0
    assert clean(router)
