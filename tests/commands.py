"""clickbpf's commands in processes that begin as copies of this one: to start Python, import what a command needs and read the elements'
classes is most of what short commands cost. Tests that run the program by its name show that it starts."""

from __future__ import annotations

import gc
import os
import pkgutil
import subprocess
import sys
import traceback
from collections.abc import Callable, Mapping
from functools import cache, partial
from importlib import import_module
from pathlib import Path
from typing import Any, NoReturn

from clickbpf.cli import parser
from clickbpf.cli.main import main
from clickbpf.compile import check_file
from clickbpf.errors import ClickError
from clickbpf.load.access.access import Access
from clickbpf.load.kernel import namespaces
from clickbpf.testing.netns import Namespace
from clickbpf.vocabulary.library import Library

#: Seconds that a command may take, which may compile a router on a busy machine.
PATIENCE = 180.0
ROUTER = Path(__file__).parents[1] / "configs" / "iprouter.click"
#: Packages whose modules commands import when they need them.
LATER = tuple(f"clickbpf.{name}" for name in ("build", "draw", "emit", "load", "objects", "observe", "passes", "plan", "runtime", "ui"))

Prepare, Entry = Callable[[], object], Callable[[list[str]], int]
Environment = Mapping[str, str] | None


def run(namespace: Namespace | None, *words: str, check: bool = False, **options: Any) -> subprocess.CompletedProcess[str]:
    """Run a command line in a namespace to its end: its status, and what it printed. ClickError if it fails and `check` is set."""
    done = subprocess.run(**{"capture_output": True, "text": True, "timeout": PATIENCE, **_process(namespace, words, **options)})
    if check and done.returncode:
        said = (done.stderr or done.stdout).strip()
        raise ClickError(f"'clickbpf {' '.join(words)}' failed with status {done.returncode}: {said}")
    return done


def start(namespace: Namespace | None, *words: str, **options: Any) -> subprocess.Popen:
    """Start a command line in a namespace, with which it is ended."""
    started = subprocess.Popen(**_process(namespace, words, **options))
    if namespace:
        namespace._children.append(started)
    return started


def read(router: str, handler: str) -> str:
    """What the command `read` prints of a loaded router, without a process: tests that wait for a value read it very often."""
    name, _, argument = handler.partition(" ")
    with Access(router) as access:
        return access.read(name, argument).strip()


def _process(
    namespace: Namespace | None,
    words: tuple[str, ...],
    prepare: Prepare = str,
    entry: Entry = main,
    env: Environment = None,
    **options: Any,
) -> dict:
    """What subprocess is given. In the new process `prepare` is called before the command, which is `entry`."""
    _ready()
    command = partial(_become, namespace and namespace.path, partial(entry, list(words)), prepare, env)
    return {"args": ["clickbpf", *words], "preexec_fn": command, "restore_signals": False, **options}


@cache
def _ready() -> None:
    """Import what most commands would, and the classes of a large router."""
    parser.parser()
    for package in LATER:
        for module in pkgutil.walk_packages(import_module(package).__path__, f"{package}."):
            import_module(module.name)
    check_file(ROUTER, Library.standard())


def _become(namespace: Path | None, entry: Callable[[], int], prepare: Prepare, env: Environment) -> NoReturn:
    """Be the command instead of executing a program. No descriptor of the tests' stays open: nor the one by which subprocess hears that
    a program could not be executed, for whose end it waits."""
    status: Any = 1
    try:
        gc.freeze()  # a collection would copy all pages of the process that this is a copy of
        os.closerange(3, os.sysconf("SC_OPEN_MAX"))
        sys.stdin, sys.stdout = os.fdopen(0, closefd=False), os.fdopen(1, "w", closefd=False)
        sys.stderr = os.fdopen(2, "w", 1, errors="backslashreplace", closefd=False)
        if namespace:
            namespaces._enter(namespace)
        if env is not None:
            os.environ.clear()
            os.environ.update(env)
        prepare()
        status = entry()
        sys.stdout.flush()
    except SystemExit as ended:
        status = ended.code
        sys.stdout.flush()
    except BaseException:
        traceback.print_exc()
    os._exit(status if isinstance(status, int) else int(status is not None))
