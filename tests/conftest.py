"""What all tests share: saying what they need of the machine."""

from __future__ import annotations

import atexit
import os
import shutil
import signal
import tempfile
from pathlib import Path

import pytest
from hypothesis import HealthCheck, settings
from tests.axes import evenly, mark_other_turns

from clickbpf.build import bpf, host
from clickbpf.testing import offline  # noqa: F401 - before any test's packets

HERE = Path(__file__).parent
#: Where the tests marked `whole` compile routers as users' are: every class with a kernel path is compared with it so, and whole routers
#: under real traffic.  Elsewhere the runtime's part is compiled quickly, which most of the tests' time went into.
AS_USERS = ("demo/", "configs/test_live_", "testing/test_library.py")
#: The same of programs in the kernel; elsewhere nothing in an object says which element an instruction comes from, which a third of
#: clang's time went into. The instructions are the same.
WITH_LINES = ("build/test_debug.py", "load/kernel/test_refusals.py")
#: Where `make test` tries a router on the first of a test's executors, `make test-all` on all: that executors do the same is what
#: tests of CASES and tests/testing compare, for every class.
ONE_EXECUTOR = ("elements/", "configs/")
#: As many of its parameters are tried, the first and the last among them, since each is a router that has to be compiled.
SOME = 2
#: What the environment says goes for all tests: with CLICKBPF_CFLAGS=-O2 all routers are as users'.
FLAGS = {name: os.environ.get(name) for name in (host.FLAGS_VARIABLE, bpf.FLAGS_VARIABLE)}

# Commands that tests start find modules compiled, though not in the tree where the environment wants none there.
if os.environ.pop("PYTHONDONTWRITEBYTECODE", None):
    os.environ["PYTHONPYCACHEPREFIX"] = tempfile.mkdtemp(prefix="clickbpf-")
    atexit.register(shutil.rmtree, os.environ["PYTHONPYCACHEPREFIX"], ignore_errors=True)

# Shells start background jobs with SIGINT ignored, which the commands that tests interrupt would inherit.
signal.signal(signal.SIGINT, signal.default_int_handler)

# How long an example takes says how busy the machine is. On one that builds every change the examples are the same each time;
# elsewhere each run looks for new ones.
settings.register_profile("here", deadline=None, suppress_health_check=[HealthCheck.too_slow])
settings.register_profile("ci", settings.get_profile("here"), derandomize=True)
settings.load_profile("ci" if "CI" in os.environ else "here")


@pytest.hookimpl(tryfirst=True)
def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Mark what `make test` leaves out of matrices: runs on other executors than a test's first, most of many parameters, and places of an
    axis that aren't the test's turn."""
    mark_other_turns(items)
    tests: dict[str, list[pytest.Item]] = {}
    for item in items:
        if _executor(item) and item.path.is_relative_to(HERE) and _file(item).startswith(ONE_EXECUTOR):
            tests.setdefault(item.nodeid.partition("[")[0], []).append(item)
    for runs in tests.values():
        first = [item for item in runs if _executor(item) == _executor(runs[0])]
        chosen = [first[place] for place in evenly(len(first), SOME)]
        for item in runs:
            if item not in chosen:
                item.add_marker("whole")


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
