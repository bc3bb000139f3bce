"""`clickbpf mount`: handlers as files, by FUSE."""

import errno
import os
import stat
import subprocess
import sys
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from subprocess import PIPE

import pytest
from tests import commands
from tests.cli.conftest import OWN, environment, execute, kill
from tests.cli.conftest import net as net
from tests.cli.conftest import router as router
from tests.waiting import eventually

from clickbpf.observe import tree


def no_fuse() -> str:
    """What is missing."""
    try:
        import mfusepy  # noqa: F401
    except (ImportError, OSError) as error:
        return str(error)
    return "" if os.path.exists("/dev/fuse") else "there is no /dev/fuse"


pytestmark = [pytest.mark.needs("root", "ip", "clang-19"), pytest.mark.skipif(bool(no_fuse()), reason=f"needs FUSE: {no_fuse()}")]
#: An element and a compound have names of the router's handlers.
ROUTER = """
FromDevice(eth0) -> c :: Counter -> inner :: { input -> n :: Counter -> list :: Null -> output } -> q :: Queue(10)
    -> u :: Unqueue(ACTIVE false) -> version :: Counter -> Discard;
"""


class Mount:
    def __init__(self, folder: Path):
        self.folder = folder
        folder.mkdir()
        self.process = commands.start(None, "mount", "-r", OWN, "--", str(folder), stderr=subprocess.PIPE, text=True)
        assert eventually(lambda: os.path.ismount(folder) or self.process.poll() is not None)
        assert self.process.poll() is None, self.process.stderr.read()

    def end(self) -> str:
        """What it has printed."""
        self.process.terminate()
        return self.process.communicate(timeout=60)[1]


@pytest.fixture
def mounted(router, tmp_path) -> Iterator[Mount]:
    file = tmp_path / f"{OWN}.click"
    file.write_text(ROUTER)
    done = execute(router, "load", str(file))
    assert done.status == 0, done.err
    made = Mount(tmp_path / "click")
    yield made
    if made.process.poll() is None:
        made.end()


def read(handler: str) -> str:
    return execute(None, "read", "-r", OWN, handler).out.strip()


def test_handlers_are_files(mounted):
    top = mounted.folder
    assert {"c", "inner", "q", "u", "version", "config", "flatconfig", "list"} <= {path.name for path in top.iterdir()}
    assert {path.name for path in (top / "inner").iterdir()} == {"n", "list"}
    assert {"class", "config", "count", "ports", "reset_counts"} <= {path.name for path in (top / "c").iterdir()}
    for handler in ("c.class", "c.count", "inner/n.ports", "q.capacity", "flatconfig"):
        element, _, name = handler.rpartition(".")
        assert (top / element / name).read_text().strip() == read(handler), handler
    assert (top / "version").is_dir() and (top / ".h" / "version").read_text().strip() == read("version")
    assert (top / "c" / ".h" / "count").read_text().strip() == "0"
    modes = {path.name: stat.S_IMODE(path.stat().st_mode) for path in (top / "u").iterdir()}
    assert (modes["class"], modes["active"]) == (0o400, 0o600)
    assert stat.S_IMODE((top / "c" / "reset_counts").stat().st_mode) == 0o200


def test_writing_to_a_file_calls_the_handler(mounted):
    active = mounted.folder / "u" / "active"
    assert active.read_text().strip() == "false"
    subprocess.run(["sh", "-c", f"echo true >{active}"], check=True)
    assert active.read_text().strip() == read("u.active") == "true"
    with pytest.raises(OSError) as refused:
        active.write_text("perhaps")
    assert refused.value.errno == errno.EINVAL
    assert active.read_text().strip() == "true"
    with pytest.raises(PermissionError):
        (mounted.folder / "c" / "count").write_text("3")
    with pytest.raises(PermissionError):
        (mounted.folder / "c" / "reset_counts").read_text()
    for missing in ("none", "c/none", "none/count", "inner/count", "c/count/count", ".h/c"):
        assert not (mounted.folder / missing).exists(), missing
    assert "perhaps" in mounted.end(), "a handler's words are printed, for which a file has no room"
    assert not os.path.ismount(mounted.folder)


def test_a_handler_gets_all_that_several_commands_write(mounted):
    """Each closes the file when it ends. The file is whole when the one who has opened it closes it, or when nobody has it open."""
    active, capacity = mounted.folder / "u" / "active", mounted.folder / "q" / "capacity"
    subprocess.run(["sh", "-c", f"(/bin/echo -n tr; /bin/echo ue) >{active}"], check=True)
    assert read("u.active") == "true"
    file = os.open(active, os.O_WRONLY)
    for part in ("fal", "sy"):
        subprocess.run(["echo", "-n", part], stdout=file, check=True)
    with pytest.raises(OSError, match="Invalid argument"):
        os.close(file)
    assert read("u.active") == "true"
    with active.open("wb", buffering=0) as file, os.fdopen(os.dup(file.fileno()), "wb", buffering=0) as again:
        file.write(b"fa")
        again.write(b"lse")
    assert read("u.active") == "false"
    with capacity.open("wb", buffering=0) as file, subprocess.Popen(["sh", "-c", "read go; echo 7"], stdin=PIPE, stdout=file) as child:
        file.close()
        child.communicate(b"\n")
    assert eventually(lambda: read("q.capacity") == "7")


#: A mount of a tree with a handler that waits until there is a file.
SLOW = """
import sys, time
from pathlib import Path
from clickbpf.observe import filesystem
from clickbpf.observe.tree import File, Folder

class Tree:
    def __init__(self, router): ...
    def look(self, path):
        return Folder(("slow", "fast")) if path == "/" else File(path.strip("/"), True, False)
    def read(self, file):
        while file.handler == "slow" and not Path(sys.argv[2]).exists():
            time.sleep(0.01)
        return file.handler.encode()

filesystem.Tree = Tree
filesystem.mount("r", Path(sys.argv[1]))
"""


def test_a_slow_handler_keeps_nobody_else_waiting(tmp_path):
    folder, go = tmp_path / "click", tmp_path / "go"
    folder.mkdir()
    with subprocess.Popen([sys.executable, "-c", SLOW, str(folder), str(go)], env=environment()) as process, ThreadPoolExecutor(2) as pool:
        try:
            assert eventually(lambda: os.path.ismount(folder))
            slow = pool.submit((folder / "slow").read_text)
            for _ in range(5):
                assert pool.submit((folder / "fast").read_text).result(60) == "fast"
            assert not slow.done()
        finally:
            go.touch()
        assert slow.result(60) == "slow"
        process.terminate()


def test_elements_are_looked_through_once(monkeypatch):
    """However many files `find` asks for."""
    asked = []

    class Access:
        def __init__(self, *_): ...

        def __enter__(self):
            return self

        def __exit__(self, *_): ...

        def read(self, handler: str) -> str:
            asked.append(handler)
            return "4\na\nb/c\nb/d\nb/d/e\n" if handler == "list" else "class\tr\n"

    monkeypatch.setattr(tree, "Access", Access)
    monkeypatch.setattr(tree, "LASTS", 3600)
    found = tree.Tree("r")
    assert found.look("/") == tree.Folder(("a", "b", "class"))
    assert found.look("/b") == tree.Folder(("c", "d"))
    assert found.look("/b/d") == tree.Folder(("e", "class"))
    assert found.look("/b/d/e/class") == tree.File("b/d/e.class", True, False)
    assert found.look("/b/d/.h") == tree.Folder(("class",))
    for missing in ("/c", "/b/class", "/b/d/f", "/a/.h/none"):
        with pytest.raises(FileNotFoundError):
            found.look(missing)
    assert sorted(asked) == ["a.handlers", "b/d.handlers", "b/d/e.handlers", "handlers", "list"]


def test_another_router_in_the_place_and_none(mounted, router, tmp_path):
    file = tmp_path / f"{OWN}.click"
    file.write_text("FromDevice(eth0) -> other :: Counter -> Discard;")
    assert execute(router, "load", "--replace", str(file)).status == 0
    assert eventually(lambda: (mounted.folder / "other" / "count").exists())
    assert eventually(lambda: not (mounted.folder / "c").exists())
    assert execute(router, "unload", OWN).status == 0
    with pytest.raises(OSError):
        (mounted.folder / "other" / "count").read_text()
    mounted.end()
    assert mounted.process.returncode == 0 and not os.path.ismount(mounted.folder)


def test_the_mount_of_a_process_that_was_killed_is_an_error_with_its_cure(mounted):
    kill(mounted.process.pid)
    mounted.process.wait()
    done = execute(None, "mount", "-r", OWN, str(mounted.folder))
    assert done.status == 1 and "whose process was killed" in done.err and f"umount {mounted.folder}" in done.err
    subprocess.run(["umount", str(mounted.folder)], check=True)


def test_a_folder_with_a_name_like_an_option(router, tmp_path, monkeypatch):
    file = tmp_path / f"{OWN}.click"
    file.write_text("FromDevice(eth0) -> c :: Counter -> Discard;")
    assert execute(router, "load", str(file)).status == 0
    monkeypatch.chdir(tmp_path)
    made = Mount(Path("-s"))
    assert (made.folder / "c" / "count").read_text().strip() == "0"
    made.end()


def test_a_folder_that_is_not_there_or_not_empty(router, tmp_path):
    file = tmp_path / f"{OWN}.click"
    file.write_text("FromDevice(eth0) -> Discard;")
    assert execute(router, "load", str(file)).status == 0
    done = execute(None, "mount", "-r", OWN, str(tmp_path / "none"))
    assert done.status == 1 and "there is no folder" in done.err
    done = execute(None, "mount", "-r", OWN, str(tmp_path))
    assert done.status == 1 and "is not empty" in done.err and file.exists()
