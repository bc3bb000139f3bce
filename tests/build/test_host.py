"""How routers' native code is compiled."""

from __future__ import annotations

import ctypes
import shutil

import pytest

from clickbpf.build.host import FLAGS_VARIABLE, build_library, build_router
from clickbpf.errors import ClickError
from clickbpf.runtime.library import load_library

NEEDS_A_FLAG = "#ifndef ASKED_FOR\n#error it was not asked for\n#endif\n"


def test_the_environment_has_more_flags(monkeypatch):
    monkeypatch.setenv(FLAGS_VARIABLE, "-O0 '-DASKED_FOR=two words'")
    made = build_router(NEEDS_A_FLAG)
    assert build_router(NEEDS_A_FLAG) == made
    monkeypatch.setenv(FLAGS_VARIABLE, "-O0 -DASKED_FOR")
    assert build_router(NEEDS_A_FLAG) != made
    monkeypatch.delenv(FLAGS_VARIABLE)
    with pytest.raises(ClickError, match="it was not asked for"):
        build_router(NEEDS_A_FLAG)


#: The quotient is made by a function of the compiler's own library.
ANSWER = "__attribute__((visibility(\"default\"))) int answer(unsigned long d) { return (unsigned __int128)42 * d * d / d / d; }\n"


@pytest.fixture
def empty_cache(tmp_path, monkeypatch):
    """A cache in which routers are compiled anew; the path of the runtime's library in the other."""
    library = build_library()
    load_library(library)
    monkeypatch.setenv("CLICKBPF_CACHE", str(tmp_path / "cache"))
    return library


@pytest.mark.parametrize("text", [ANSWER, ANSWER.replace("unsigned __int128", "unsigned long")], ids=["its library", "nothing"])
@pytest.mark.parametrize("linker", [True, False])
def test_what_only_the_compiler_has_is_linked_by_it(linker, text, empty_cache, monkeypatch):
    """Whether there is a linker or not."""
    found = shutil.which
    monkeypatch.setattr(shutil, "which", lambda name: found(name) if linker or name != "ld" else None)
    made = build_router(text, library=empty_cache)
    assert ctypes.CDLL(str(made)).answer(ctypes.c_ulong(1 << 20)) == 42
