"""How routers' native code is compiled."""

import ctypes
import shutil

import pytest

from clickbpf.build.compiler import version_of
from clickbpf.build.host import FLAGS_VARIABLE, build_library, build_router, router_content
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


def test_a_compiler_is_asked_for_its_version_once(tmp_path, monkeypatch):
    """And again when it is another file."""
    monkeypatch.setenv("CLICKBPF_CACHE", str(tmp_path / "cache"))
    compiler, asked = tmp_path / "cc", tmp_path / "asked"
    compiler.write_text(f"#!/bin/sh\necho asked >> {asked}\necho version 1\n")
    compiler.chmod(0o755)
    assert [version_of(str(compiler)) for _ in range(2)] == ["version 1\n"] * 2
    assert asked.read_text() == "asked\n"
    compiler.write_text(compiler.read_text().replace("version 1", "version 20"))
    assert version_of(str(compiler)) == "version 20\n"


#: The quotient is made by a function of the compiler's own library.
ANSWER = "__attribute__((visibility(\"default\"))) int answer(unsigned long d) { return (unsigned __int128)42 * d * d / d / d; }\n"


@pytest.fixture
def empty_cache(tmp_path, monkeypatch):
    """An empty cache, in which routers are compiled again; the path of the runtime's library in the usual cache."""
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


def test_what_only_remarks_say_makes_no_other_object():
    text = "\n/* {} */\nint answer = {};\n"
    one, moved, other = (router_content(text.format(*given)) for given in (("a:1:1: s :: Script(x)", 1), ("b", 1), ("b", 2)))
    assert one == moved != other
    assert router_content("/* a */ int x = 1; /* b */\n") != router_content("/* a */ int x = 2; /* b */\n")
