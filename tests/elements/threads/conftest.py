"""Routers on threads, without devices."""

from collections.abc import Callable, Iterator

import pytest

from clickbpf.compile import Compilation, check_text
from clickbpf.runtime.host import Runtime
from clickbpf.vocabulary.library import Library


@pytest.fixture
def threaded() -> Iterator[Callable[..., Runtime]]:
    """`threaded(text, threads)`: closed in the end, when it has to have given back every packet."""
    running: list[Runtime] = []

    def start(text: str, threads: int = 2, **options) -> Runtime:
        runtime = Runtime(Compilation(check_text(text, Library.standard())), threads=threads, **options)
        running.append(runtime)
        return runtime.__enter__()

    yield start
    for runtime in running:
        runtime.close()


@pytest.fixture
def read() -> Callable[[Runtime, str], str]:
    return lambda runtime, handler: runtime.handlers.read(*handler.split("."))
