"""What all tests share: saying what they need of the machine."""

import atexit
import gc
import importlib
import os
import shutil
import signal
import tempfile
from collections.abc import Iterator
from pathlib import Path

import pytest
from hypothesis import HealthCheck, settings
from tests.apart import move_apart
from tests.choice import choose, file_of

from clickbpf.build import bpf, host
from clickbpf.testing import offline  # noqa: F401 - before any test's packets

HERE = Path(__file__).parent
#: Where the tests marked `whole` compile routers as users' are: most classes with a kernel path are compared with it so.
#: Elsewhere the runtime's part is compiled quickly, which most of the tests' time went into, and without warnings, which nobody sees.
AS_USERS = ("testing/test_library.py",)
#: The same of programs in the kernel; elsewhere nothing in an object says which element an instruction comes from, which a third of
#: clang's time went into. The instructions are the same.
WITH_LINES = ("build/test_debug.py", "load/kernel/test_refusals.py")
#: Tests that wait for the timers of routing daemons, or go on for a minute, begin first: at the end nothing would use the processors
#: meanwhile.
FIRST = ("routed/", "runtime/test_memory.py", "prove/test_mistakes.py")
#: What the environment says goes for all tests: with CLICKBPF_CFLAGS=-O2 all routers are as users'.
FLAGS = {name: os.environ.get(name) for name in (host.FLAGS_VARIABLE, bpf.FLAGS_VARIABLE)}

# Commands that tests start find modules compiled, though not in the tree where the environment wants none there.
if os.environ.pop("PYTHONDONTWRITEBYTECODE", None):
    os.environ["PYTHONPYCACHEPREFIX"] = tempfile.mkdtemp(prefix="clickbpf-")
    os.chmod(os.environ["PYTHONPYCACHEPREFIX"], 0o755)  # for commands of other users, too
    atexit.register(shutil.rmtree, os.environ["PYTHONPYCACHEPREFIX"], ignore_errors=True)

# Shells start background jobs with SIGINT ignored, which the commands that tests interrupt would inherit.
signal.signal(signal.SIGINT, signal.default_int_handler)

# How long an example takes says how busy the machine is. On one that builds every change the examples are the same each time;
# elsewhere each run looks for new ones.
settings.register_profile("here", deadline=None, suppress_health_check=[HealthCheck.too_slow])
settings.register_profile("ci", settings.get_profile("here"), derandomize=True)
settings.load_profile("ci" if "CI" in os.environ else "here")


def pytest_sessionstart() -> None:
    """The process that hands out tests to others (xdist) stays where it is."""
    if "PYTEST_XDIST_WORKER" in os.environ:
        move_apart()


@pytest.hookimpl(wrapper=True)
def pytest_collection(session: pytest.Session) -> Iterator[None]:
    """Of several processes each begins with other files: pytest rewrites and compiles a file in three times the time that it takes to read
    what another process has compiled. What is collected stays: the garbage collector would go through all of it again and again, for a
    third of the time that collecting takes."""
    gc.disable()
    process = getattr(session.config, "workerinput", None)
    if process and session.config.args_source == pytest.Config.ArgsSource.TESTPATHS:
        first = int(process["workerid"].removeprefix("gw"))
        for path in sorted(HERE.rglob("test_*.py"))[first :: process["workercount"]]:
            importlib.import_module(".".join(path.relative_to(HERE.parent).with_suffix("").parts))
    collected = yield
    gc.freeze()
    gc.enable()
    return collected


@pytest.hookimpl(tryfirst=True)
def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    """Mark what `make test` leaves out; where all tests were asked for, leave out what is too much for `make test-all`, too."""
    surplus = choose(items)
    items.sort(key=lambda item: not file_of(item).startswith(FIRST))
    if config.args_source == pytest.Config.ArgsSource.TESTPATHS and not config.getoption("--executor"):
        config.hook.pytest_deselected(items=surplus)
        items[:] = [item for item in items if item not in surplus]


@pytest.hookimpl(tryfirst=True)
def pytest_runtest_setup(item: pytest.Item) -> None:
    """Skip a test marked `needs("root", "ethtool", ...)` where that is missing, and say what is; choose how routers are compiled."""
    file = file_of(item)
    as_users = file.startswith(AS_USERS) and item.get_closest_marker("whole")
    _set_flags(host.FLAGS_VARIABLE, "" if as_users else "-O0 -g0 -w")
    _set_flags(bpf.FLAGS_VARIABLE, "" if file.startswith(WITH_LINES) else "-gno-inline-line-tables -w")
    wanted = {what for mark in item.iter_markers("needs") for what in mark.args}
    missing = sorted(what for what in wanted if not _present(what))
    if missing:
        pytest.skip(f"needs {', '.join(missing)}")


def _set_flags(variable: str, otherwise: str) -> None:
    given = FLAGS[variable]
    os.environ[variable] = otherwise if given is None else given


def _present(what: str) -> bool:
    if what == "root":
        return os.geteuid() == 0
    return shutil.which(what, path=f"{os.environ.get('PATH', '')}:/usr/sbin:/sbin") is not None
