"""Every manual page has an example, and every example is a router that compiles; that of Error is none."""

from __future__ import annotations

import pytest

from clickbpf.build.host import check_router
from clickbpf.compile import check_text
from clickbpf.emit.native import emit_native
from clickbpf.errors import ClickError
from clickbpf.testing.examples import blocks, examples
from clickbpf.vocabulary.library import Library

LIBRARY = Library.standard()


@pytest.mark.parametrize("name", [name for name in LIBRARY.names() if name != "Error"])
def test_examples_compile(name):
    found = examples(LIBRARY.find(name), LIBRARY)
    assert found, "no example that is a configuration with the class in it"
    for example in found:
        check_router(emit_native(check_text(example.configuration, LIBRARY)).text)


def test_the_example_of_error_is_refused():
    (example,) = blocks(LIBRARY.find("Error"))
    with pytest.raises(ClickError, match="DEV is the device to listen on"):
        check_text(example, LIBRARY)
