"""Routers whose threads run, as elements with descriptors need."""

import time
from collections.abc import Callable, Iterator
from contextlib import ExitStack

import pytest

from clickbpf.compile import Compilation, check_text
from clickbpf.runtime.host import Runtime
from clickbpf.testing.netns import Namespace
from clickbpf.vocabulary.library import Library


@pytest.fixture
def running() -> Iterator[Callable[..., Runtime]]:
    """running(configuration, namespace) is a router that runs in user space, with what it opens in the namespace."""
    with ExitStack() as stack:

        def start(configuration: str, namespace: Namespace | None = None) -> Runtime:
            runtime = Runtime(Compilation(check_text(configuration, Library.standard())))
            stack.callback(runtime.close)
            if namespace is None:
                runtime.initialise()
            else:
                namespace.call(runtime.initialise)
            runtime.start()
            return runtime

        yield start


@pytest.fixture
def becomes() -> Callable[..., None]:
    """becomes(router, "c.count", "3") waits until a handler says so."""

    def wait(router: Runtime, handler: str, text: str, patience: float = 60.0) -> None:
        end = time.monotonic() + patience
        element, _, name = handler.rpartition(".")
        while (seen := router.handlers.read(element, name)) != text:
            assert time.monotonic() < end, f"{handler} is {seen}, not {text}"
            time.sleep(0.005)

    return wait
