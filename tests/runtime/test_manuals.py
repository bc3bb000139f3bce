"""The examples of the runtime's own classes are routers that compile."""

from __future__ import annotations

import inspect
import textwrap

import pytest

from clickbpf.build.host import build_router
from clickbpf.emit.native import emit_native
from clickbpf.graph.check import check
from clickbpf.graph.elaborate import load_text
from clickbpf.library import Library

CLASSES = (
    "Queue", "Unqueue", "InfiniteSource", "FromDevice", "ToDevice", "FromHost", "ToHost", "FromDump", "ToDump",
    "Script", "DriverManager", "ControlSocket",
)  # fmt: skip


@pytest.mark.parametrize("name", CLASSES)
def test_example_compiles(name):
    library = Library.standard()
    page = inspect.getdoc(library.find(name))
    example = textwrap.dedent(page.rpartition("Example:\n\n")[2])
    assert name in example
    assert build_router(emit_native(check(load_text(example), library)).text).exists()
