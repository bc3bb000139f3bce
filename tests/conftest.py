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

from clickbpf.build import bpf, host
from clickbpf.testing import offline  # noqa: F401 - before any test's packets

HERE = Path(__file__).parent
#: Where routers are compiled as users' are: every class with a kernel path is compared with it so, and whole routers under real
#: traffic.  Elsewhere the runtime's part is compiled quickly, which most of the tests' time went into.
AS_USERS = ("demo/", "configs/test_live_", "testing/test_library.py")
#: The same of programs in the kernel; elsewhere nothing in an object says which element an instruction comes from, which a third of
#: clang's time went into. The instructions are the same.
WITH_LINES = ("build/test_debug.py", "load/kernel/test_refusals.py")
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
def pytest_runtest_setup(item: pytest.Item) -> None:
    """Skip a test marked `needs("root", "ethtool", ...)` where that is missing, and say what is; choose how routers are compiled."""
    file = str(item.path.relative_to(HERE))
    _set_flags(host.FLAGS_VARIABLE, "" if file.startswith(AS_USERS) else "-O0 -g0")
    _set_flags(bpf.FLAGS_VARIABLE, "" if file.startswith(WITH_LINES) else "-gno-inline-line-tables")
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
