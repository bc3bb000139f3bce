"""Where the commands of a page run: in a folder, with the commands of this checkout, and perhaps on a machine between two hosts."""

import os
import shlex
import signal
import stat
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from tests.docs.markdown import ROOT

from clickbpf.testing.netns import Network, ip

PATIENCE = 300
#: Routers' names and pins are of this stage alone. (A mount on /run/clickbpf would go when another test removes that folder.)
OWN = """set -e
mkdir "$1"
mount --rbind /run/netns "$1"
mount -t tmpfs tmpfs /run
mkdir /run/netns
mount --move "$1" /run/netns
mount -t bpf bpf /sys/fs/bpf
echo ready
exec sleep infinity"""


class Stage:
    """A folder that commands run in. `clickbpf`, `pytest` and `python` are this checkout's; configs/ is there."""

    def __init__(self, folder: Path):
        self.folder = folder / "mine"
        self.folder.mkdir()
        (self.folder / "configs").symlink_to(ROOT / "configs")
        self.environment = environment(folder / "bin")

    def run(self, line: str, prompt: str = "$", typed: str = "") -> subprocess.CompletedProcess:
        """Run a command line; `cd` lasts. Its output and errors are one."""
        if line.startswith("cd "):
            self.folder = self.folder / line.removeprefix("cd ")
            return subprocess.CompletedProcess(line, 0, "")
        inside = f"cd {shlex.quote(str(self.folder))}\n{line}"
        return subprocess.run(
            [*self.entering(prompt), "bash", "-c", inside], input=typed, env=self.environment, timeout=PATIENCE,
            stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True,
        )  # fmt: skip

    def entering(self, prompt: str) -> list[str]:
        """The words before a command that lead to where it runs."""
        assert prompt in ("#", "$"), f"{prompt}: this page has no hosts"
        return []


class Between(Stage):
    """A machine whose eth0 is connected to the host `left`, 10.0.0.1/24, and its eth1 to the host `right`, 10.0.0.2/24.

    The hosts know each other's Ethernet addresses, so that only the page's packets pass.
    """

    def __init__(self, folder: Path, network: Network):
        super().__init__(folder)
        self.router = network.namespace("router")
        self.hosts = {
            f"{label}#": network.host(label, self.router, f"eth{n}", f"10.0.0.{n + 1}/24") for n, label in enumerate(("left", "right"))
        }
        left, right = self.hosts.values()
        left.neighbour("eth0", "10.0.0.2", right.mac("eth0"))
        right.neighbour("eth0", "10.0.0.1", left.mac("eth0"))
        words = ["unshare", "--mount", "sh", "-c", OWN, "sh", str(folder / "netns")]
        self.holder = subprocess.Popen(words, stdout=subprocess.PIPE)
        assert self.holder.stdout.readline(), "no mounts of one's own"

    def entering(self, prompt: str) -> list[str]:
        where = self.hosts.get(prompt, self.router)
        return ["nsenter", f"--mount=/proc/{self.holder.pid}/ns/mnt", f"--net={where.path}", "--"]

    def close(self) -> None:
        """Unload what is loaded, and end what was started in the background."""
        self.run("clickbpf unload --all")
        for namespace in (self.router, *self.hosts.values()):
            for pid in ip("netns", "pids", namespace.name).split():
                os.kill(int(pid), signal.SIGKILL)
        self.holder.kill()
        self.holder.wait()
        self.holder.stdout.close()


@contextmanager
def stages(name: str | None, folder: Path) -> Iterator[Stage]:
    """The stage of that name, for a page."""
    if name is None:
        yield Stage(folder)
        return
    assert name == "left and right", f"no stage {name!r}"
    with Network() as network:
        made = Between(folder, network)
        try:
            yield made
        finally:
            made.close()


def environment(folder: Path) -> dict[str, str]:
    """That of the commands, whose scripts are made in the folder."""
    folder.mkdir()
    scripts = {"clickbpf": ("-m", "clickbpf.cli.main"), "pytest": ("-m", "pytest", "-p", "no:cacheprovider"), "python": ()}
    for name, words in scripts.items():
        script = folder / name
        script.write_text(f'#!/bin/sh\nexec {shlex.join([sys.executable, *words])} "$@"\n')
        script.chmod(script.stat().st_mode | stat.S_IXUSR)
    path = f"{folder}:{os.environ['PATH']}:/usr/sbin:/sbin"
    return {**os.environ, "PATH": path, "PYTHONPATH": os.pathsep.join(filter(None, sys.path))}
