"""A machine in software with Debian's own kernel, for what this machine's kernel refuses: its files are some of this machine's, in an
initial file system, and its first process is a Python script.

Nothing is installed: packages of the kernel and, where it is missing, of qemu are unpacked in a folder beside the cache, which forgets
files one by one.
"""

import os
import re
import shutil
import stat
import subprocess
from collections.abc import Iterable, Mapping
from contextlib import suppress
from functools import cached_property
from pathlib import Path

from clickbpf.cache import cache_directory

KERNEL, QEMU, PROGRAM = "linux-image-cloud-amd64", "qemu-system-x86", "qemu-system-x86_64"
LIBRARIES = Path("/usr/lib/x86_64-linux-gnu")
#: Folders of Python's library that no script here uses.
UNUSED = re.compile(r"(^|/)(test|tests|idlelib|lib2to3|ensurepip|turtledemo|tkinter|pydoc_data|config-3[^/]*)(/|$)")
#: Of a machine, in MiB.
MEMORY = "2048"
#: What the first process prints before all else (inside.py). The kernel may print something before that, and hang.
STARTED = "the kernel has started"
#: Seconds for fetching a package.
PATIENCE = 120


class Missing(Exception):
    """What keeps machines from being made here."""


def _output(*line: str, **options) -> str:
    try:
        return subprocess.run(line, capture_output=True, text=True, check=True, timeout=PATIENCE, **options).stdout
    except FileNotFoundError:
        raise Missing(f"there is no {line[0]}") from None
    except (subprocess.CalledProcessError, subprocess.TimeoutExpired) as error:
        raise Missing(f"{' '.join(line)}: {error.stderr or error}") from None


class Image:
    """A file system in cpio's format "newc", which the kernel unpacks."""

    def __init__(self):
        self._parts: list[bytes] = []
        self._names: set[str] = set()

    def add(self, name: str, mode: int, content: bytes = b"", modified: int = 0) -> None:
        """An entry and the folders above it; one that is there already stays as it is."""
        name = name.strip("/")
        if not name or name in self._names:
            return
        self.add(os.path.dirname(name), stat.S_IFDIR | 0o755)
        self._names.add(name)
        fields = (len(self._names), mode, 0, 0, 1, modified, len(content), 0, 0, 0, 0, len(name) + 1, 0)
        head = b"070701" + b"".join(b"%08X" % field for field in fields) + name.encode() + b"\0"
        self._parts += [head, bytes(-len(head) % 4), content, bytes(-len(content) % 4)]

    def file(self, path: Path, name: str | None = None) -> None:
        """A file of this machine; with the time of its change, by which Python knows what it has compiled."""
        status = path.stat()
        self.add(name or str(path), stat.S_IFREG | (status.st_mode & 0o777), path.read_bytes(), int(status.st_mtime))

    def program(self, path: str | Path) -> None:
        """A program or library with the libraries that it needs."""
        self.file(Path(path).resolve(), str(path))
        linked = subprocess.run(["ldd", str(path)], capture_output=True, text=True).stdout
        for library in re.findall(r"(/\S+) \(0x", linked):
            self.file(Path(library).resolve(), library)

    def tree(self, folder: Path, at: str) -> None:
        for path in sorted(folder.rglob("*")):
            name = path.relative_to(folder)
            if path.is_file() and not UNUSED.search(str(name)):
                self.file(path, f"{at}/{name}")
                if ".so" in path.suffixes:
                    self.program(path)

    def bytes(self) -> bytes:
        self.add("TRAILER!!!", 0)
        return b"".join(self._parts)


class Emulator:
    """qemu and a kernel. Missing if they are neither here nor can be fetched."""

    @cached_property
    def kernel(self) -> Path:
        """The folder of its package's files."""
        found = re.search(r"Depends: (linux-image-[\w.+-]+)", _output("apt-cache", "depends", KERNEL))
        if not found:
            raise Missing(f"apt has no package {KERNEL}")
        return _unpacked(found[1], [found[1]])

    @cached_property
    def qemu(self) -> tuple[list[str], Mapping[str, str]]:
        """The command's first words, and its environment."""
        installed = shutil.which(PROGRAM)
        if installed:
            return [installed], os.environ
        would = _output("apt-get", "install", "--simulate", "--no-install-recommends", QEMU)
        root = _unpacked(QEMU, re.findall(r"^Inst (\S+)", would, re.MULTILINE))
        shared = [argument for folder in ("qemu", "seabios") for argument in ("-L", f"{root}/usr/share/{folder}")]
        libraries = f"{root}{LIBRARIES}:{root}/lib/{LIBRARIES.name}"
        return [f"{root}/usr/bin/{PROGRAM}", *shared], {**os.environ, "LD_LIBRARY_PATH": libraries}

    def modules(self, *names: str) -> Iterable[Path]:
        """The files of modules that aren't part of the kernel, each after those that it depends on."""
        (builtin,) = (path.read_text() for path in self.kernel.glob("lib/modules/*/modules.builtin"))
        found: dict[str, Path] = {}
        for name in names:
            if f"/{name}.ko\n" not in builtin:
                path = next(self.kernel.glob(f"lib/modules/*/kernel/**/{name}.ko"), None)
                if path is None:
                    raise Missing(f"the kernel has no module {name}")
                needed = re.search(rb"\0depends=([^\0]*)\0", path.read_bytes())
                found |= {each.name: each for each in self.modules(*filter(None, needed[1].decode().split(",")))} if needed else {}
                found[path.name] = path
        return found.values()

    def run(self, image: bytes, folder: Path, seconds: float, begun: float) -> str:
        """What a machine with this file system prints until it is off, which is in `folder`/printed meanwhile. subprocess.TimeoutExpired if
        it is on after these seconds, or hasn't STARTED after `begun` seconds."""
        (folder / "image").write_bytes(image)
        words, environment = self.qemu
        line = [*words, "-M", "q35", "-accel", "tcg", "-cpu", "max", "-m", MEMORY, "-no-reboot", "-nodefaults", "-display", "none"]
        line += ["-serial", "stdio", "-kernel", str(next(self.kernel.glob("boot/vmlinuz-*"))), "-initrd", str(folder / "image")]
        # Whether the timer works the kernel finds out by how much time passes, and panics where this machine is busy.
        line += ["-append", "console=ttyS0 panic=-1 quiet mitigations=off no_timer_check"]
        printed = folder / "printed"
        with printed.open("wb") as file, subprocess.Popen(line, env=environment, stdin=subprocess.DEVNULL, stdout=file) as machine:
            try:
                with suppress(subprocess.TimeoutExpired):
                    machine.wait(begun)
                machine.wait(seconds - begun if STARTED in printed.read_text(errors="replace") else 0)
            finally:
                machine.kill()
        return printed.read_text(errors="replace")


def _unpacked(name: str, packages: list[str]) -> Path:
    """The files of packages."""
    cache = cache_directory()
    root = cache.with_name(f"{cache.name}-emulated") / name
    if root.is_dir():
        return root
    making = root.with_name(f"{name}.{os.getpid()}")
    making.mkdir(parents=True)
    try:
        _output("apt-get", "download", *packages, cwd=making)
        for package in making.glob("*.deb"):
            _output("dpkg-deb", "-x", str(package), str(making))
            package.unlink()
        making.rename(root)
    finally:
        shutil.rmtree(making, ignore_errors=True)
    return root
