"""What all tests share: saying what they need of the machine."""

import atexit
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
from tests.axes import mark_other_turns

from clickbpf.build import bpf, host
from clickbpf.testing import offline  # noqa: F401 - before any test's packets

HERE = Path(__file__).parent
#: Where the tests marked `whole` compile routers as users' are: most classes with a kernel path are compared with it so.
#: Elsewhere the runtime's part is compiled quickly, which most of the tests' time went into.
AS_USERS = ("testing/test_library.py",)
#: The same of programs in the kernel; elsewhere nothing in an object says which element an instruction comes from, which a third of
#: clang's time went into. The instructions are the same.
WITH_LINES = ("build/test_debug.py", "load/kernel/test_refusals.py")
#: Where `make test` tries a router on the first of a test's executors, and `make test-all` on another one where it is the turn of that:
#: that executors do the same is what tests of CASES and tests/testing compare, for every class. Whoever names tests, or executors, has
#: them all.
ONE_EXECUTOR = ("elements/", "configs/")
#: Of a test with more sets of parameters, `make test-all` tries so many besides those of `make test`, spread over all of them; whoever
#: names tests has them all.
MOST_SETS = {
    **{"elements/": 2, "configs/": 4, "emit/": 4, "runtime/": 4, "load/": 4, "docs/": 5, "states/": 8},
    **{"testing/test_library.py": 16, "testing/test_punts.py": 40, "testing/test_configs.py": 16},
    **{"testing/test_frags.py": 6, "testing/": 4},
}
#: Where `make test` tries a test that needs something, or an executor, with one of its parameters, since each is a router that has to be
#: compiled: a file's first test with its first one, the second test with its second one and so on.
ONE_ROUTER = ("elements/", "configs/", "emit/", "plan/", "runtime/")
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
    what another process has compiled."""
    process = getattr(session.config, "workerinput", None)
    if process and session.config.args_source == pytest.Config.ArgsSource.TESTPATHS:
        first = int(process["workerid"].removeprefix("gw"))
        for path in sorted(HERE.rglob("test_*.py"))[first :: process["workercount"]]:
            importlib.import_module(".".join(path.relative_to(HERE.parent).with_suffix("").parts))
    return (yield)


@pytest.hookimpl(tryfirst=True)
def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    """Mark what `make test` leaves out of matrices: runs on other executors than a test's first, other parameters than the
    one that it is the turn of, and places of an axis that aren't the test's turn. Where all tests were asked for, leave out further
    executors of tests with many parameters."""
    mark_other_turns(items)
    tests: dict[Path, dict[str, list[pytest.Item]]] = {}
    for item in items:
        if item.path.is_relative_to(HERE) and _file(item).startswith(ONE_ROUTER) and _compiles(item):
            tests.setdefault(item.path, {}).setdefault(item.nodeid.partition("[")[0], []).append(item)
    for file in tests.values():
        for turn, runs in enumerate(file.values()):
            _mark_but_one(turn, runs)
    if config.args_source == pytest.Config.ArgsSource.TESTPATHS and not config.getoption("--executor"):
        turns = ((turn, runs) for file in tests.values() for turn, runs in enumerate(file.values()))
        _leave_out(config, items, {item for turn, runs in turns for item in _further_executors(turn, runs)})
        _leave_out(config, items, set(_surplus(items)))


@pytest.hookimpl(tryfirst=True)
def pytest_runtest_setup(item: pytest.Item) -> None:
    """Skip a test marked `needs("root", "ethtool", ...)` where that is missing, and say what is; choose how routers are compiled."""
    file = _file(item)
    as_users = file.startswith(AS_USERS) and item.get_closest_marker("whole")
    _set_flags(host.FLAGS_VARIABLE, "" if as_users else "-O0 -g0")
    _set_flags(bpf.FLAGS_VARIABLE, "" if file.startswith(WITH_LINES) else "-gno-inline-line-tables")
    wanted = {what for mark in item.iter_markers("needs") for what in mark.args}
    missing = sorted(what for what in wanted if not _present(what))
    if missing:
        pytest.skip(f"needs {', '.join(missing)}")


def _mark_but_one(turn: int, runs: list[pytest.Item]) -> None:
    left = [item for item in runs if not item.get_closest_marker("whole")]
    if left and _file(left[0]).startswith(ONE_EXECUTOR):
        left = [item for item in left if _executor(item) == _executor(left[0])]
    for item in runs:
        if not left or item is not left[turn % len(left)]:
            item.add_marker("whole")


def _further_executors(number: int, runs: list[pytest.Item]) -> Iterator[pytest.Item]:
    """Of the runs of a file's test those to leave out, so that each set of parameters has one executor: what `make test` runs has it
    already. Every second test without parameters has all."""
    sets: dict[str, list[pytest.Item]] = {}
    for item in runs:
        if _file(item).startswith(ONE_EXECUTOR) and _executor(item):
            sets.setdefault(f"-{item.callspec.id}-".replace(f"-{_executor(item)}-", "-", 1), []).append(item)
    for turn, alike in enumerate(sets.values() if len(sets) > 1 or number % 2 else ()):
        chosen = next((item for item in alike if not item.get_closest_marker("whole")), alike[-1 - turn % len(alike)])
        yield from (item for item in alike if item is not chosen)


def _surplus(items: list[pytest.Item]) -> Iterator[pytest.Item]:
    """Of tests with many parameters the runs beyond MOST_SETS."""
    tests: dict[str, list[pytest.Item]] = {}
    for item in items:
        if item.get_closest_marker("whole"):
            tests.setdefault(item.nodeid.partition("[")[0], []).append(item)
    for runs in tests.values():
        most = next((number for start, number in MOST_SETS.items() if _file(runs[0]).startswith(start)), len(runs))
        chosen = {place * len(runs) // most for place in range(most)}
        yield from (item for place, item in enumerate(runs) if place not in chosen)


def _leave_out(config: pytest.Config, items: list[pytest.Item], some: set[pytest.Item]) -> None:
    config.hook.pytest_deselected(items=some)
    items[:] = [item for item in items if item not in some]


def _compiles(item: pytest.Item) -> bool:
    return bool(_executor(item)) or item.get_closest_marker("needs") is not None


def _executor(item: pytest.Item) -> str | None:
    return item.callspec.params.get("executor") if hasattr(item, "callspec") else None


def _file(item: pytest.Item) -> str:
    return str(item.path.relative_to(HERE))


def _set_flags(variable: str, otherwise: str) -> None:
    given = FLAGS[variable]
    os.environ[variable] = otherwise if given is None else given


def _present(what: str) -> bool:
    if what == "root":
        return os.geteuid() == 0
    return shutil.which(what, path=f"{os.environ.get('PATH', '')}:/usr/sbin:/sbin") is not None
