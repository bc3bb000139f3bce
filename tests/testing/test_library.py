"""The promise of the kernel path, for every class of the library that has a part in it, as its manual page uses it.

Both executors do the same to a packet, and what is PUNTed is unchanged. The classes' own tests say more; here none is
forgotten.
"""

from __future__ import annotations

import re

import pytest

from clickbpf.element import PULL
from clickbpf.library import Library
from clickbpf.testing.equivalence import assert_equivalent
from clickbpf.testing.examples import INDEFINITE, Example, examples
from clickbpf.testing.punt import assert_punts_unchanged
from clickbpf.testing.single import element_configuration

pytestmark = pytest.mark.needs("root", "clang-19")

LIBRARY = Library.standard()
#: Classes at the router's edge, which every other configuration here has.
EDGES = {"FromDevice", "FromHost", "ToDevice", "ToHost"}
CLASSES = [name for name in LIBRARY.names() if "xdp" in LIBRARY.find(name).runs and name not in EDGES]


def mentions_punt(name: str) -> bool:
    """Whether a class's C file, or a header beside it that it includes, has a PUNT."""
    source = LIBRARY.find(name).c_source()
    files = [source, *(source.parent / header for header in re.findall(r'#include "(\w+\.h)"', source.read_text()))]
    return any("PUNT" in file.read_text() for file in files)


def example(name: str) -> Example:
    """The first example of a class's manual page."""
    found = examples(LIBRARY.find(name), LIBRARY)
    assert found, f"the manual page of {name} has no example that is a configuration"
    return found[0]


@pytest.mark.parametrize("headers, record", [("ip-checked", True), ("ethernet", False)])
@pytest.mark.parametrize("name", [name for name in CLASSES if name not in INDEFINITE])
def test_executors_agree(name: str, headers: str, record: bool) -> None:
    used = example(name)
    text = element_configuration(used.element, used.ninputs, used.noutputs, headers, record=record)
    if LIBRARY.find(name).processing == PULL:  # it stands behind a queue
        text = used.configuration
    assert_equivalent(text, 400, patience=1)


@pytest.mark.parametrize("headers", ["ip-checked", "ethernet"])
@pytest.mark.parametrize("name", [name for name in CLASSES if mentions_punt(name)])
def test_punts_change_nothing(name: str, headers: str) -> None:
    used = example(name)
    assert_punts_unchanged(used.element, used.ninputs, used.noutputs, headers, packets=400)
