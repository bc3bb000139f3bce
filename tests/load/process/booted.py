"""systemd as process 1 of a container: namespaces of processes, mounts and control groups, over the machine's files and programs.

It knows no units but those in UNITS: those of the machine would set the machine up, its /tmp and its kernel's parameters included.
"""

import os
import subprocess
from pathlib import Path

from tests.waiting import eventually

from clickbpf.testing.netns import Namespace

MANAGER = "/lib/systemd/systemd"
UNITS = "/run/units"
#: Of the machine's folders, those that have nothing of it in the container.
EMPTY = "/run /srv /var/cache /var/lib"
#: What a service of the system is ordered by, without anything to do.
TARGETS = ("sysinit", "basic", "shutdown", "network", "umount")
#: The manager begins in a control group of its own, of which it then sees nothing above.
GROUPED = """set -e
mount --make-rprivate /
mount -t cgroup2 cgroup2 /sys/fs/cgroup
mkdir "/sys/fs/cgroup/$0"
echo $$ >"/sys/fs/cgroup/$0/cgroup.procs"
exec unshare --cgroup --ipc --uts --pid --fork --kill-child sh -c "$1" "$2"
"""
STARTED = f"""set -e
umount /sys/fs/cgroup
mount -t cgroup2 cgroup2 /sys/fs/cgroup
mount -t proc proc /proc
mount -t bpf -o mode=0700 bpf /sys/fs/bpf
for folder in {EMPTY}; do mount -t tmpfs -o mode=0755 tmpfs $folder; done
mkdir /var/cache/clickbpf
mount --bind "$0" /var/cache/clickbpf
mkdir -p /run/systemd/system {UNITS}
for target in {" ".join(TARGETS)}; do printf '[Unit]\\nDefaultDependencies=no\\n' >{UNITS}/$target.target; done
exec {MANAGER} --system --unit=basic.target --log-target=console --show-status=no
"""


class Booted:
    """The container, in a network namespace, with the machine's cache of compiled files. Paths are the container's."""

    def __init__(self, namespace: Namespace, cache: Path):
        self._group = f"clickbpf-{namespace.name}"
        surroundings = {**os.environ, "container": "test", "SYSTEMD_UNIT_PATH": UNITS}
        line = ["unshare", "--mount", "sh", "-c", GROUPED, self._group, STARTED, str(cache)]
        self._outer = namespace.popen(*line, env=surroundings, stdin=subprocess.DEVNULL)
        assert eventually(self._first), "process 1 of the container"
        assert eventually(lambda: (self.root / "run/systemd/private").exists()), "systemd listens"

    def _first(self) -> int:
        """The manager's process as the machine sees it; 0 before it is there."""
        children = Path(f"/proc/{self._outer.pid}/task/{self._outer.pid}/children")
        return int((children.read_text().split() or ["0"])[0])

    @property
    def root(self) -> Path:
        """The container's files, as the machine sees them."""
        return Path(f"/proc/{self._first()}/root")

    def run(self, *words: str, check: bool = True) -> subprocess.CompletedProcess:
        """A command in the container as root: its output as text."""
        line = ["nsenter", f"--target={self._first()}", "--mount", "--pid", "--net", "--", *words]
        done = subprocess.run(line, capture_output=True, text=True, timeout=180)
        assert not check or not done.returncode, done.stderr
        return done

    def close(self) -> None:
        """End all that runs in it; the control groups that the manager made are empty then."""
        self._outer.kill()
        self._outer.wait()
        with_groups = f"mount -t cgroup2 cgroup2 /sys/fs/cgroup && exec find /sys/fs/cgroup/{self._group} -depth -type d -exec rmdir {{}} +"
        line = ["unshare", "--mount", "sh", "-c", with_groups]
        assert eventually(lambda: subprocess.run(line, capture_output=True).returncode == 0), "its control groups are gone"
