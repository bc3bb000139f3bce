"""The pytest plugin: fixtures that run routers on the executors chosen on the command line.

    def test_ttl(router):
        r = router("FromDevice(eth0) -> Strip(14) -> ...")
        r.send("eth0", Ether() / IP(ttl=2))
        r.expect("eth1", Ether() / IP(ttl=1))

A test that uses `executor`, `router` or `element` runs once on each executor.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import ExitStack
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest

from clickbpf.errors import ClickError

# The rest is imported where it is used: pytest loads plugins in every project, and importing scapy is slow.
if TYPE_CHECKING:
    from clickbpf.testing.executors import Configuration
    from clickbpf.testing.netns import Network
    from clickbpf.testing.router import Router
    from clickbpf.testing.single import ElementRouter

#: The executors without --executor; `live` isn't one of them, since it takes most of a second for each router.
DEFAULT = "native,bpf"


def pytest_addoption(parser: pytest.Parser) -> None:
    parser.getgroup("clickbpf").addoption(
        "--executor",
        metavar="NAMES",
        help=f"run tests of routers on these executors (see docs/testing.md); default {DEFAULT}, as far as this "
        "machine has them",
    )


def pytest_configure(config: pytest.Config) -> None:
    config.addinivalue_line("markers", "executors(*names): the test runs on these executors only")
    if config.getoption("--executor"):
        _check_executors(_chosen(config))


def _check_executors(names: list[str]) -> None:
    """UsageError unless all these executors exist and are available."""
    from clickbpf.testing.executors import EXECUTORS, unavailable

    for name in names:
        if name not in EXECUTORS:
            raise pytest.UsageError(f"--executor: no executor {name!r}; there are {', '.join(EXECUTORS)}")
        reason = unavailable(name)
        if reason:
            raise pytest.UsageError(f"--executor: {name} can't run here: {reason}")


def _chosen(config: pytest.Config) -> list[str]:
    return [name.strip() for name in (config.getoption("--executor") or DEFAULT).split(",") if name.strip()]


def pytest_generate_tests(metafunc: pytest.Metafunc) -> None:
    """Run the test once for each chosen executor that its marker allows; an unavailable one is reported as a skip."""
    if "executor" not in metafunc.fixturenames:
        return
    marker = metafunc.definition.get_closest_marker("executors")
    names = [name for name in _chosen(metafunc.config) if not marker or name in marker.args]
    parameters = [_parameter(name) for name in names] or [_skipped("none", f"only for {', '.join(marker.args)}")]
    metafunc.parametrize("executor", parameters, indirect=True)


def _parameter(name: str) -> Any:
    from clickbpf.testing.executors import unavailable

    reason = unavailable(name)
    return _skipped(name, f"executor {name}: {reason}") if reason else name


def _skipped(name: str, reason: str) -> Any:
    return pytest.param(name, marks=pytest.mark.skip(reason=reason))


@pytest.hookimpl(hookwrapper=True)
def pytest_runtest_makereport(item: pytest.Item, call: pytest.CallInfo) -> Iterator[None]:
    """Show a mistake in a configuration as users see it, with the test's line, instead of a traceback."""
    outcome: Any = yield
    if call.excinfo is not None and call.excinfo.errisinstance(ClickError):
        here = [entry for entry in call.excinfo.traceback if Path(entry.path) == item.path]
        where = f"{item.path}:{here[-1].lineno + 1}: " if here else ""
        outcome.get_result().longrepr = f"{where}{type(call.excinfo.value).__name__}\n{call.excinfo.value.render()}"


@pytest.fixture
def executor(request: pytest.FixtureRequest) -> str:
    """The name of the executor for this run of the test."""
    return request.param


@pytest.fixture
def router(executor: str) -> Iterator[Callable[..., Router]]:
    """Makes routers on the executor, `router(configuration, **options)`; they are closed after the test."""
    from clickbpf.testing.router import Router

    with ExitStack() as stack:

        def make(configuration: Configuration, **options: Any) -> Router:
            return stack.enter_context(Router(configuration, **{"executor": executor, **options}))

        yield make


@pytest.fixture
def element(executor: str) -> Iterator[Callable[..., ElementRouter]]:
    """Makes routers around one element, `element("Paint(3)", headers="ip")`; they are closed after the test."""
    from clickbpf.testing.single import ElementRouter

    with ExitStack() as stack:

        def make(text: str, ninputs: int = 1, noutputs: int = 1, **options: Any) -> ElementRouter:
            return stack.enter_context(ElementRouter(text, ninputs, noutputs, **{"executor": executor, **options}))

        yield make


@pytest.fixture
def network() -> Iterator[Network]:
    """Network namespaces for the test, removed afterwards; see clickbpf.testing.netns."""
    from clickbpf.testing.netns import Network

    with Network() as made:
        yield made
