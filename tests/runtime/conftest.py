"""Routers that run in this process, made of the library's elements and those of `elements/` here.

With CLICKBPF_SANITIZE=address they are compiled for the address sanitizer (test_memory.py runs these tests so).
"""

import os
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from tests.runtime.routers import Routers

from clickbpf.compile import Compilation
from clickbpf.graph.check import check
from clickbpf.graph.elaborate import read_text
from clickbpf.runtime.host import Runtime
from clickbpf.vocabulary.library import Library, own_elements

OWN = Path(__file__).parent / "elements"


def checked(text: str):
    return check(read_text(text), Library([OWN, own_elements()]))


@pytest.fixture
def run() -> Iterator[Callable[..., Runtime]]:
    """`run(text)` is a running router without devices; at the end it has to give back every packet."""
    running: list[Runtime] = []

    def start(text: str, **options) -> Runtime:
        runtime = Runtime(Compilation(checked(text)), sanitize=os.environ.get("CLICKBPF_SANITIZE"), **options)
        running.append(runtime)
        return runtime.__enter__()

    yield start
    for runtime in running:
        runtime.close()


@pytest.fixture
def routers() -> Iterator[Callable[..., Routers]]:
    """`routers(text)` is a router on memory devices that others can replace; time stands still."""
    made: list[Routers] = []

    def start(text: str, **options) -> Routers:
        made.append(Routers(text, **options))
        return made[-1]

    yield start
    for each in made:
        each.now.close()
