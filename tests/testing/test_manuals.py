"""Every manual page has an example, and every example is a router that compiles; that of Error is none."""

import re

import pytest
from tests.axes import few

from clickbpf.build.host import check_router
from clickbpf.compile import check_text
from clickbpf.emit.native import emit_native
from clickbpf.errors import ClickError
from clickbpf.testing.examples import blocks, examples
from clickbpf.vocabulary.library import Library

LIBRARY = Library.standard()
NAMES = [name for name in LIBRARY.names() if name != "Error"]


#: Examples that are compiled beside each other in one router.
BESIDE = 16


@pytest.mark.parametrize("names", few([NAMES[at : at + BESIDE] for at in range(0, len(NAMES), BESIDE)], 8), ids=lambda names: names[0])
def test_examples_compile(names):
    found = {name: examples(LIBRARY.find(name), LIBRARY) for name in names}
    assert [name for name in names if not found[name]] == [], "no example that is a configuration with the class in it"
    texts = [example.configuration for name in names for example in found[name]]
    compounds = (f"its{number} :: {{\n{own_devices(text, number)}\n}};\n" for number, text in enumerate(texts))
    try:
        checked = check_text("".join(compounds), LIBRARY)
    except ClickError:  # some can't be beside others
        for text in texts:
            check_router(emit_native(check_text(text, LIBRARY)).text)
    else:
        check_router(emit_native(checked).text)


def own_devices(text: str, number: int) -> str:
    return re.sub(r"\b(FromDevice|PollDevice|ToDevice)\((\w+)", rf"\1(d{number}_\2", text)


def test_the_example_of_error_is_refused():
    (example,) = blocks(LIBRARY.find("Error"))
    with pytest.raises(ClickError, match="DEV is the device to listen on"):
        check_text(example, LIBRARY)
