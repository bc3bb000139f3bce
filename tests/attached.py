"""Routers on the devices of a namespace that run in the tests' process, as `run` has them."""

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any

from clickbpf.compile import Compilation, check_text
from clickbpf.load.devices.devices import resolve
from clickbpf.load.life.inplace import Attached
from clickbpf.load.life.loader import Request
from clickbpf.plan import Options
from clickbpf.runtime.host import Runtime
from clickbpf.testing.netns import Namespace
from clickbpf.vocabulary.library import Library


def compiled(text: str, **options: Any) -> Compilation:
    return Compilation(check_text(text, Library.standard()), Options(**options))


@contextmanager
def running(where: Namespace, made: Compilation, begin: Callable[[Runtime], None] = Runtime.start, **asked: Any) -> Iterator[Attached]:
    """A router, whose runtime `begin` starts; `asked` are members of its request and of those that replace it, which may change
    (`attached.asked`)."""

    def request(made: Compilation) -> Request:
        content, devices = made.build_bpf().read_bytes(), resolve(made.plan.devices)
        return Request("attached", content, made.manifest, devices, start=None, say=lambda text: None, **asked)

    with Attached(request, asked.get("threads", 1), begin) as attached:
        attached.asked = asked
        where.call(attached.run, made)
        yield attached
