"""A runtime that is killed at any of its own steps: the next command recovers, and nothing stays attached, pinned or running."""

import os
import subprocess
import time
from collections.abc import Iterator
from contextlib import ExitStack
from pathlib import Path

import pytest
from tests import commands
from tests.cli.conftest import environment, kill
from tests.load.translated import PORTS, TRANSLATES, conversation

from clickbpf.load.files.places import Pins, RunFolder
from clickbpf.load.process import service
from clickbpf.testing.netns import Namespace
from clickbpf.testing.traffic import ping

pytestmark = pytest.mark.needs("root", "ip", "ethtool", "clang-19", "ping")

NAME = f"killing{os.getpid()}"
KILLING = Path(__file__).parents[1] / "killing"
TEXT = (
    "FromDevice(eth0) -> c :: Counter -> Queue -> ToDevice(eth1.7); FromDevice(eth1.7) -> is :: Classifier(12/0800, -);"
    "is[0] -> Strip(14) -> CheckIPHeader -> rt :: RadixIPLookup(0/0 0) -> Unstrip(14) -> back :: Queue -> ToDevice(eth0); is[1] -> back;"
)
#: Steps between two that a run of the tests tries; other runs begin elsewhere.
STRIDE = 12
#: Seconds without a step after which none is expected any more.
QUIET = 0.5


class Victim:
    """A router whose runtime dies when its next command has come to a step."""

    def __init__(self, namespace: Namespace, folder: Path):
        self.namespace, self.folder = namespace, folder
        path = os.pathsep.join([str(KILLING), environment()["PYTHONPATH"]])
        self._environment = {**environment(), "PYTHONPATH": path, "CLICKBPF_KILLING": str(folder)}

    def __call__(self, *words: str, at: int = 0) -> subprocess.CompletedProcess:
        """Run a command line; the runtime is killed at its step `at` from here on, or not."""
        self._settle()
        (self.folder / "steps").write_bytes(b"")
        (self.folder / "at").write_text(str(at))
        return commands.run(self.namespace, *words, env=self._environment)

    def _settle(self) -> None:
        """What the command before has begun ends after it: the last router is closed, the new one's state written down."""
        steps, before = self.folder / "steps", -1
        while steps.exists() and steps.stat().st_size != before:
            before = steps.stat().st_size
            time.sleep(QUIET)

    def load(self, *options: str, text: str = TEXT, at: int = 0) -> subprocess.CompletedProcess:
        return self("load", "-n", NAME, *options, "-e", text, at=at)

    def does(self, *words: str) -> str:
        done = self(*words)
        assert done.returncode == 0, done.stderr
        return done.stdout

    @property
    def steps(self) -> range:
        """Those of the runtime in the last command, to be killed at."""
        taken = (self.folder / "steps").stat().st_size
        assert taken > 2
        return range(1 + os.getpid() % min(STRIDE, taken), taken + 1, STRIDE)

    def came_to(self, step: int) -> bool:
        """Whether the runtime came to a step in the last command."""
        return (self.folder / "steps").stat().st_size >= step

    @property
    def count(self) -> int:
        return int(self.does("read", "-r", NAME, "c.count"))

    @property
    def alive(self) -> bool:
        return service.alive(RunFolder.of(NAME)) is not None

    @property
    def clean(self) -> bool:
        attached = any("prog/xdp" in self.namespace.ip("-d", "link", "show", "dev", device) for device in ("eth0", "eth1.7"))
        return not attached and not self.alive and not RunFolder.of(NAME).exists() and not Pins.of(NAME).exists()


@pytest.fixture
def victim(router, tmp_path) -> Iterator[Victim]:
    made = Victim(router, tmp_path)
    yield made
    made("unload", NAME)
    assert made.clean


@pytest.mark.whole
def test_it_starts(net, victim):
    """`load` reports it, and undoes all that it has done."""
    assert victim.load().returncode == 0
    to_try = victim.steps
    victim.does("unload", NAME)
    for at in to_try:
        done = victim.load(at=at)
        if done.returncode == 0:  # it had started: the first one took its last steps before they were counted
            assert at == to_try[-1]
            victim("unload", NAME)
            continue
        assert (done.returncode, victim.clean) == (1, True), f"killed at step {at}: {done.stderr}"
        assert "died" in done.stderr and "Traceback" not in done.stderr
    assert victim.load().returncode == 0
    assert ping(net.namespaces[1], "10.0.0.2", 2) == 2


@pytest.mark.whole
def test_it_takes_pinned_state_up_again(net, victim):
    """The kernel path goes on meanwhile; the next attempt has its counts and tables."""
    assert victim.load().returncode == 0
    victim.does("write", "-r", NAME, "rt.add", "10.9.0.0/16 0")
    kill(service.alive(RunFolder.of(NAME)))
    victim.does("load", "--runtime-only", NAME)
    for at in victim.steps:
        kill(service.alive(RunFolder.of(NAME)))
        done = victim("load", "--runtime-only", NAME, at=at)
        assert done.returncode == 1 and not victim.alive, f"killed at step {at}: {done.stderr}"
        before = victim.count
        assert ping(net.namespaces[1], "10.0.0.2", 2) == 2
        victim.does("load", "--resume", "-n", NAME, "-e", TEXT)
        assert victim.alive and victim.count >= before + 2
        assert "10.9.0.0/16" in victim.does("read", "-r", NAME, "rt.table")


@pytest.mark.whole
def test_conversations_go_on(net, victim):
    """Translated ones, with the ports that they have: by the kernel path without a runtime, and by the next runtime, which knows them and
    gives their ports to none with the same host and port. One of them comes back by a queue of the runtime, and goes on as well."""
    assert victim.load(text=TRANSLATES).returncode == 0
    with ExitStack() as kept, conversation(net, 7) as fast, conversation(net, 9) as queued:  # kept: each has a port of its own
        ports = [fast.seen(), queued.seen()]
        assert set(ports) <= set(PORTS)
        kill(service.alive(RunFolder.of(NAME)))
        victim.does("load", "--runtime-only", NAME)
        for at in victim.steps:
            kill(service.alive(RunFolder.of(NAME)))
            assert victim("load", "--runtime-only", NAME, at=at).returncode == 1 and not victim.alive
            assert fast.seen() == ports[0], f"killed at step {at}"
            victim.does("load", "--resume", "-n", NAME, "-e", TRANSLATES)
            assert [fast.seen(), queued.seen()] == ports[:2], f"killed at step {at}"
            ports.append(kept.enter_context(conversation(net, 7, beside=fast)).seen())
        assert set(ports) <= set(PORTS) and len({ports[0], *ports[2:]}) == len(ports) - 1, ports
        assert len(victim.does("read", "-r", NAME, "rw.udp_table").splitlines()) == 2 * len(ports), "a line for each direction"
        assert victim.does("read", "-r", NAME, "held.length").strip() == "0"


@pytest.mark.whole
def test_it_changes_to_another_router(net, victim):
    """One of the two forwards, which is the listed one; another --replace, and without it `unload`, put things right."""
    other = TEXT.replace("c :: Counter", "c :: Counter -> more :: Counter")
    assert victim.load().returncode == 0
    assert victim.load("--replace", text=other).returncode == 0
    to_try, killed = victim.steps, 0
    for number, at in enumerate(to_try):
        done = victim.load("--replace", text=other, at=at)
        killed += victim.came_to(at)
        before = victim.count
        assert ping(net.namespaces[1], "10.0.0.2", 2) == 2, f"killed at step {at}, no router forwards"
        assert victim.count >= before + 2, f"killed at step {at}, another router forwards than the one that is listed"
        if number % 2:
            done = victim.load("--replace")
        else:
            victim("unload", NAME)
            assert victim.clean, f"killed at step {at}"
            done = victim.load()
        assert done.returncode == 0 and victim.alive, f"killed at step {at}: {done.stderr}"
        assert ping(net.namespaces[1], "10.0.0.2", 2) == 2
    assert killed > len(to_try) // 2, "most runtimes came to the step"


def test_it_ends(victim):
    assert victim.load().returncode == 0
    victim.does("unload", NAME)
    to_try = victim.steps
    for at in to_try:
        assert victim.load().returncode == 0
        done = victim("unload", NAME, at=at)
        assert (done.returncode, victim.clean) == (0, True), f"killed at step {at}: {done.stderr}"
