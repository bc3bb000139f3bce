"""Native code: the runtime's library and, linked to it, a router's shared object.

The library (userspace/**/*.c) is compiled once for each version of its sources; a router is one small file that names the
library by its path in the cache.
"""

from __future__ import annotations

import os
import platform
import shutil
import subprocess
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache
from pathlib import Path

from clickbpf import drops
from clickbpf.build.cache import cached, content_hash
from clickbpf.build.compiler import run_compiler
from clickbpf.build.sources import folder
from clickbpf.errors import ClickError

USERSPACE = folder("userspace")
#: Folders whose headers a router includes; of bpf/ the runtime shares the handover record.
HEADERS = (USERSPACE, folder("bpf"), folder("elements"))

COMPILERS = ("clang-19", "clang", "gcc")
#: Packets are read through pointers of any type. Lines are enough for backtraces and profiles, and compile a quarter faster.
FLAGS = ("-std=gnu11", "-O2", "-g1", "-fPIC", "-fno-strict-aliasing", "-fvisibility=hidden", "-pthread", "-Wall", "-Wextra")
LIBRARIES = ("-lxdp", "-lbpf", "-lpcap", "-lz", "-lbz2", "-llzma", "-lcrypto")

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


@cache
def find_compiler(sanitize: str | None = None) -> Compiler:
    """The first of COMPILERS that is there, and that has the runtime library of the sanitizer asked for."""
    flags = FLAGS
    if sanitize:
        flags += (f"-fsanitize={sanitize}", "-fno-omit-frame-pointer", *(_UNDEFINED if "undefined" in sanitize else ()))
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
    compiler = find_compiler(sanitize)
    library = library or build_library(sanitize)
    includes = _includes()
    expanded = compiler.run(*includes, "-E", "-x", "c", "-", input=text)
    links = [f"-l{name}" for name in libraries]
    name = f"router-{content_hash((compiler.identity, *compiler.flags, *links, str(library), expanded))}.so"

    def make(path: Path) -> None:
        source = ("-x", "cpp-output", "-", "-x", "none", str(library))
        found_at = ("-Xlinker", "-rpath", "-Xlinker", str(library.parent))
        compiler.run("-shared", *source, *links, *found_at, "-o", str(path), input=expanded)

    return cached(name, make)


def check_router(text: str) -> None:
    """ClickError with the compiler's messages if the emitted C `text` isn't sound; nothing is made of it."""
    find_compiler().run(*_includes(), "-fsyntax-only", "-x", "c", "-", input=text)


def build_library(sanitize: str | None = None) -> Path:
    """Compile the runtime's library."""
    compiler = find_compiler(sanitize)
    sources = sorted(USERSPACE.rglob("*.c"))
    shared = (folder("bpf") / "handover.h", folder("bpf") / "siphash.h", folder("elements") / "annotations.h")
    headers = (*sorted(USERSPACE.rglob("*.h")), *shared)
    content = (part for file in (*sources, *headers) for part in (file.name, file.read_bytes()))
    name = f"libclickbpf-{content_hash((compiler.identity, *compiler.flags, *LIBRARIES, drops_header(), *content))}.so"

    def make(path: Path) -> None:
        files = [str(source) for source in sources]
        compiler.run(*_includes(), "-shared", *files, *LIBRARIES, f"-Wl,-soname,{name}", "-o", str(path))

    return cached(name, make)


def drops_header() -> str:
    return f"#ifndef CLICKBPF_DROPS_H\n#define CLICKBPF_DROPS_H\n{drops.c_enum()}#endif\n"


def _includes() -> list[str]:
    """Where headers are: the runtime's, the packet interface, what is shared with the kernel path, and the drop reasons."""
    text = drops_header()

    def make(path: Path) -> None:
        path.write_text(text)

    generated = cached(f"include-{content_hash((text,))}/drops.h", make)
    return [f"-I{directory}" for directory in (generated.parent, *HEADERS)]
