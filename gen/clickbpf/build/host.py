"""Native code: the runtime's library and, linked to it, a router's shared object.

The library (userspace/**/*.c) is compiled once for each version of its sources; a router is one small file that asks for
the library by a name, under which it is loaded already.
"""

from __future__ import annotations

import os
import platform
import shlex
import shutil
import subprocess
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache
from pathlib import Path

from clickbpf.build.cache import cached, compiled, content_hash
from clickbpf.build.compiler import run_compiler
from clickbpf.build.includes import content_of
from clickbpf.build.sources import folder
from clickbpf.errors import ClickError
from clickbpf.vocabulary import drops

USERSPACE = folder("userspace")
#: Folders whose headers a router includes; of bpf/ the runtime shares the handover record.
HEADERS = (USERSPACE, folder("bpf"), folder("elements"))

COMPILERS = ("clang-19", "clang", "gcc")
#: Packets are read through pointers of any type. Lines are enough for backtraces and profiles, and compile a quarter faster.
FLAGS = ("-std=gnu11", "-O2", "-g1", "-fPIC", "-fno-strict-aliasing", "-fvisibility=hidden", "-pthread", "-Wall", "-Wextra")
LIBRARIES = ("-lxdp", "-lbpf", "-lpcap", "-lz", "-lbz2", "-llzma", "-lcrypto")

#: Where the environment has more flags for routers, not for the library: with -O0 they compile four times as fast.
FLAGS_VARIABLE = "CLICKBPF_CFLAGS"

_SANITIZERS = {"address": "asan", "thread": "tsan"}
#: Words in packets stand where they stand. What is found besides ends the program, as what the other sanitizers find.
_UNDEFINED = ("-fno-sanitize=alignment", "-fno-sanitize-recover=undefined")


@dataclass(frozen=True)
class Compiler:
    """A C compiler and the flags that all files get. `identity` tells versions apart."""

    path: str
    identity: str
    flags: tuple[str, ...]

    def links(self) -> bool:
        """Whether it can make a program with its flags: a sanitizer's library may be missing."""
        command = [self.path, *self.flags, "-x", "c", "-", "-o", os.devnull]
        return subprocess.run(command, input=b"int main(void) { return 0; }", capture_output=True, check=False).returncode == 0

    def run(self, *arguments: str, input: str | None = None) -> str:
        """Compile; what it prints on standard output. Raises ClickError with the compiler's messages."""
        return run_compiler([self.path, *self.flags, *arguments], "the router", input)


def _flags(sanitize: str | None) -> tuple[str, ...]:
    if not sanitize:
        return FLAGS
    return (*FLAGS, f"-fsanitize={sanitize}", "-fno-omit-frame-pointer", *(_UNDEFINED if "undefined" in sanitize else ()))


@cache
def find_compiler(sanitize: str | None = None) -> Compiler:
    """The first of COMPILERS that is there, and that has the runtime library of the sanitizer asked for."""
    flags = _flags(sanitize)
    for name in COMPILERS:
        path = shutil.which(name)
        if path is None:
            continue
        compiler = Compiler(path, _version(path), flags + (("-shared-libsan",) if sanitize and "clang" in name else ()))
        if not sanitize or compiler.links():
            return compiler
    with_what = f" that can check with -fsanitize={sanitize}" if sanitize else ""
    raise ClickError(f"no C compiler{with_what} found", hint=f"install one of {', '.join(COMPILERS)}")


def _version(path: str) -> str:
    return subprocess.run([path, "--version"], capture_output=True, text=True, check=False).stdout


def sanitizer_library(sanitize: str) -> Path:
    """The shared library that a program has to preload (LD_PRELOAD) before it loads what was compiled with `sanitize`: "thread",
    "address", or "address,undefined"."""
    compiler = find_compiler(sanitize)
    library = _SANITIZERS[sanitize.partition(",")[0]]
    name = f"lib{library}.so"
    if "clang" in compiler.path:
        name = f"libclang_rt.{library}-{platform.machine()}.so"
    return Path(compiler.run(f"-print-file-name={name}").strip()).resolve()


def build_router(text: str, sanitize: str | None = None, libraries: Sequence[str] = (), library: Path | None = None) -> Path:
    """Compile the emitted C `text` to a shared object that the runtime can load; the file is in the cache.

    `libraries` are more to link it with, by the names that -l takes. `library` is the runtime's own that is loaded, if it is:
    there must not be two.
    """
    library = library or build_library(sanitize)
    folders = _folders()
    links = [f"-l{name}" for name in libraries]

    def make(path: Path) -> None:
        compiler, unit = find_compiler(sanitize), path.with_suffix(".o")
        compiler.run(*_more_flags(), *_including(folders), "-c", "-x", "c", "-", "-o", str(unit), input=text)
        files = (str(unit), str(library), *links, "-o", str(path))
        if sanitize or not _link(*files):
            compiler.run("-shared", *files)

    return compiled(router_stem(text, sanitize, libraries), ".so", lambda: find_compiler(sanitize).identity, make)


def _link(*arguments: str) -> bool:
    """Link by the linker itself, which a compiler takes ten times as long to call; False where that doesn't do, because a compiler
    has libraries of its own that are needed, or there is no such linker."""
    linker = shutil.which("ld")
    command = [linker or "", "-shared", "--no-undefined", "--eh-frame-hdr", *arguments, "-lc"]
    return linker is not None and subprocess.run(command, capture_output=True, check=False).returncode == 0


def router_stem(text: str, sanitize: str | None = None, libraries: Sequence[str] = ()) -> str:
    """The file's name but for the compiler."""
    flags = (*_flags(sanitize), *_more_flags())
    parts = (platform.machine(), *flags, *libraries, _library_stem(sanitize), content_of(text, _folders()))
    return f"router-{content_hash(parts)}"


def _more_flags() -> list[str]:
    return shlex.split(os.environ.get(FLAGS_VARIABLE, ""))


def check_router(text: str) -> None:
    """ClickError with the compiler's messages if the emitted C `text` isn't sound; nothing is made of it."""
    find_compiler().run(*_including(_folders()), "-fsyntax-only", "-x", "c", "-", input=text)


def build_library(sanitize: str | None = None) -> Path:
    """Compile the runtime's library."""
    stem = _library_stem(sanitize)

    def make(path: Path) -> None:
        words = ("-shared", *map(str, _library_sources()), *LIBRARIES, f"-Wl,-soname,{stem}.so", "-o", str(path))
        find_compiler(sanitize).run(*_including(_folders()), *words)

    return compiled(stem, ".so", lambda: find_compiler(sanitize).identity, make)


def _library_sources() -> list[Path]:
    return sorted(USERSPACE.rglob("*.c"))


@cache
def _library_stem(sanitize: str | None) -> str:
    """The library's name but for the compiler; routers ask for it by this name, whoever compiled it."""
    shared = (folder("bpf") / "handover.h", folder("bpf") / "siphash.h", folder("elements") / "annotations.h")
    headers = (*sorted(USERSPACE.rglob("*.h")), *shared)
    content = (part for file in (*_library_sources(), *headers) for part in (file.name, file.read_bytes()))
    return f"libclickbpf-{content_hash((platform.machine(), *_flags(sanitize), *LIBRARIES, drops_header(), *content))}"


def drops_header() -> str:
    return f"#ifndef CLICKBPF_DROPS_H\n#define CLICKBPF_DROPS_H\n{drops.c_enum()}#endif\n"


def _including(folders: Sequence[Path]) -> list[str]:
    return [f"-I{directory}" for directory in folders]


def _folders() -> tuple[Path, ...]:
    """Where headers are: the runtime's, the packet interface, what is shared with the kernel path, and the drop reasons."""
    text = drops_header()

    def make(path: Path) -> None:
        path.write_text(text)

    generated = cached(f"include-{content_hash((text,))}/drops.h", make)
    return (generated.parent, *HEADERS)
