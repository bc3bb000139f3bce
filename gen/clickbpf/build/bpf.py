"""BPF objects: the emitted C compiled by clang, the manifest put into its section."""

from __future__ import annotations

import platform
import shutil
from functools import cache
from pathlib import Path

from clickbpf.build.cache import cached, content_hash
from clickbpf.build.compiler import run_compiler
from clickbpf.build.sources import folder
from clickbpf.ctext import c_string
from clickbpf.errors import ClickError
from clickbpf.manifest import SECTION, Manifest

#: clang 19 is what is tested; other versions from 15 on are tried.
COMPILERS = ("clang-19", "clang", "clang-20", "clang-18", "clang-17", "clang-16", "clang-15")
#: v3 has 32-bit arithmetic and jumps, and is what Linux 6.1 knows.
FLAGS = ("-target", "bpf", "-mcpu=v3", "-O2", "-g", "-std=gnu11", "-fno-strict-aliasing", "-Wall", "-Wno-unused-function")


def build_bpf(text: str, manifest: Manifest) -> Path:
    """Compile the kernel path's C `text`; the object, with the manifest in it, is in the cache. ClickError if clang fails.

    The text is kept beside it: clang puts its lines into the object, for the verifier's log and for bpftool.
    """
    source = cached(f"bpf/{content_hash((text,))}.c", lambda path: path.write_text(text))
    return _compile(source, manifest.to_json())


def build_helper(name: str) -> Path:
    """Compile a program of its own, `bpf/NAME.bpf.c`."""
    return build_program(folder("bpf") / f"{name}.bpf.c")


def build_program(source: Path) -> Path:
    """Compile a C file that was written by hand; its object has no manifest."""
    return _compile(source, None)


def _compile(source: Path, document: str | None) -> Path:
    """The object of a C file in the cache, with `document` as its manifest."""
    compiler, identity = find_clang()
    include = [f"-I{path}" for path in (folder("elements"), folder("bpf"), *_system_headers())]
    preprocessed = _run([compiler, *FLAGS, *include, "-E", str(source)])

    def make(path: Path) -> None:
        section = "" if document is None else _section(path.with_suffix(".json"), document)
        _run([compiler, *FLAGS, "-x", "cpp-output", "-c", "-o", str(path), "-"], preprocessed + section)

    return cached(f"bpf/{content_hash((identity, *FLAGS, preprocessed, document or ''))}.o", make)


def _section(file: Path, document: str) -> str:
    """C text that puts a document, by way of a file, into the manifest's section."""
    file.write_text(document)
    assembly = f'.pushsection {SECTION},"",@progbits\n.incbin {c_string(str(file))}\n.popsection'
    return f"\nasm({c_string(assembly)});\n"


@cache
def find_clang() -> tuple[str, str]:
    """Path and version text of a clang that compiles for BPF; ClickError if there is none."""
    for name in COMPILERS:
        path = shutil.which(name)
        if path:
            return path, _run([path, "--version"])
    raise ClickError("no clang found, which compiles the kernel path", hint="install clang-19")


def _system_headers() -> tuple[str, ...]:
    """Where Debian and its kin keep <asm/types.h>, which clang does not search for BPF."""
    headers = Path(f"/usr/include/{platform.machine()}-linux-gnu")
    return (str(headers),) if headers.is_dir() else ()


def _run(command: list[str], given: str | None = None) -> str:
    return run_compiler(command, "the kernel path", given)
