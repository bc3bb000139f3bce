"""Routers that run in the test's process: `with running("FromDump(in.pcap) -> c :: Counter -> Discard") as router:`."""

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

from clickbpf.compile import Compilation, check_text
from clickbpf.runtime.host import Runtime
from clickbpf.vocabulary.library import Library


def running(text: str, **options: Any) -> Runtime:
    return Runtime(Compilation(check_text(text, Library.standard())), **options)


@contextmanager
def settled(text: str, **options: Any) -> Iterator[Runtime]:
    """A router that has done what it does by itself: files are read, packets have left."""
    with running(text, **options) as router:
        router.settle()
        yield router


def ran(text: str, **options: Any) -> None:
    """The same, at once: what remains is what the router has written."""
    with settled(text, **options):
        pass
