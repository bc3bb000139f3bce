"""BPF objects: the emitted C compiled by clang, the manifest put into its section."""

import os
import shlex
import shutil
from collections.abc import Mapping, Sequence
from functools import cache
from pathlib import Path
from types import MappingProxyType

from clickbpf.build.compiler import run_compiler, version_of
from clickbpf.build.includes import content_of
from clickbpf.build.sources import folder
from clickbpf.cache import cached, compiled, content_hash
from clickbpf.errors import ClickError, TooComplex
from clickbpf.objects.ctext import c_include, c_string
from clickbpf.objects.manifest import SECTION, Manifest

#: clang 19 is tested; other versions from 15 on are tried.
COMPILERS = ("clang-19", "clang", "clang-20", "clang-18", "clang-17", "clang-16", "clang-15")
#: v3 has 32-bit arithmetic and jumps; Linux 6.1 has no newer version. Joining copies across blocks saves instructions: their order here is
#: one of paths that few packets take, which clang doesn't know.
FLAGS = ("-target", "bpf", "-mcpu=v3", "-O2", "-g", "-std=gnu11", "-fno-strict-aliasing", "-mllvm", "-join-globalcopies")
#: FUNCTIONS (packet.h) need not have variables.
WARNINGS = ("-Wall", "-Wno-unused-function", "-Wno-pragma-clang-attribute")
#: The environment variable with further flags. With -gno-inline-line-tables a large program compiles in three quarters of the time, to
#: the same instructions; but then nobody can say which element an instruction comes from (load/kernel/symbols.py). The larger, the more:
#: clang compares the text of each line with all before it, which takes 2 of 22 s with 64 IPRewriters, and 40 of 120 with 256.
FLAGS_VARIABLE = "CLICKBPF_BPF_CFLAGS"

#: What a clang that has crashed prints, and the options with which it is run again: without the pass of the BPF backend (MI peephole) in
#: which clang 19 crashes on some programs. The pass saves some extensions of 32-bit values to 64 bits.
CRASHED, AFTER_CRASH = "frontend command failed", ("-mllvm", "-disable-bpf-peephole")
#: What clang prints of a program with more than 32767 instructions between a jump and its end, and what helps.
OUT_OF_REACH = "Branch target out of insn range"
SHORTER = "lower the limit of a program (--program-limit), or give every element its own (--chain)"


def build_bpf(text: str, manifest: Manifest, sections: Mapping[str, bytes] = MappingProxyType({})) -> Path:
    """Compile the kernel path's C `text`; the object, with the manifest and `sections` in it, is in the cache. ClickError if
    clang fails.

    The text is kept beside it: clang puts its lines into the object, for the verifier's log and for bpftool.
    """
    return _compile(_kept(text), {SECTION: manifest.to_json().encode(), **sections})


def build_helper(name: str) -> Path:
    """Compile a program of its own, `bpf/NAME.bpf.c`."""
    return build_program(folder("bpf") / f"{name}.bpf.c")


def build_program(source: Path) -> Path:
    """Compile a C file that was written by hand; its object has no manifest."""
    return _compile(source, {})


def _compile(source: Path, sections: Mapping[str, bytes]) -> Path:
    """The object of a C file in the cache, with further sections."""
    content = content_of(source.read_text(), _folders(), source.parent)

    def make(path: Path) -> None:
        section = "".join(_section(path.with_suffix(f".{n}"), name, data) for n, (name, data) in enumerate(sections.items()))
        _clang(["-x", "c", "-c", "-o", str(path), "-"], c_include(source) + section)

    parts = (part for name, data in sections.items() for part in (name, data))
    return compiled(f"bpf/{content_hash((*_flags(), content, *parts))}", ".o", lambda: find_clang()[1], make)


def preprocess(text: str) -> str:
    """The kernel path's C `text` preprocessed: includes and macros expanded, with line markers for the origin of each line."""
    kept, folders = _kept(text), _folders()
    content = content_of(text, folders, kept.parent)
    name = content_hash((find_clang()[1], *_flags(), *map(str, (kept, *folders)), content))
    return cached(f"bpf/{name}.i", lambda path: path.write_text(_clang(["-E", str(kept)]))).read_text()


def _kept(text: str) -> Path:
    return cached(f"bpf/{content_hash((text,))}.c", lambda path: path.write_text(text))


def _clang(arguments: Sequence[str], given: str | None = None) -> str:
    include = [f"-I{path}" for path in (*_folders(), *_system_headers())]
    return _run([find_clang()[0], *_flags(), *WARNINGS, *include, *arguments], given)


def _flags() -> tuple[str, ...]:
    return (*FLAGS, *shlex.split(os.environ.get(FLAGS_VARIABLE, "")))


def _folders() -> tuple[Path, Path]:
    return folder("elements"), folder("bpf")


def _section(file: Path, name: str, data: bytes) -> str:
    """C text that puts data from a file into a section."""
    file.write_bytes(data)
    assembly = f'.pushsection {name},"",@progbits\n.incbin {c_string(str(file))}\n.popsection'
    return f"\nasm({c_string(assembly)});\n"


@cache
def find_clang() -> tuple[str, str]:
    """Path and version text of a clang that compiles for BPF; ClickError if there is none."""
    for name in COMPILERS:
        path = shutil.which(name)
        if path:
            return path, version_of(path)
    raise ClickError("no clang found, which compiles the kernel path", hint="install clang-19")


def _system_headers() -> tuple[str, ...]:
    """The folder in which Debian and its derivatives keep <asm/types.h>; clang doesn't search it when it compiles for BPF."""
    headers = Path(f"/usr/include/{os.uname().machine}-linux-gnu")
    return (str(headers),) if headers.is_dir() else ()


def _run(command: list[str], given: str | None = None) -> str:
    try:
        return run_compiler(command, "compiling the kernel path", given)
    except ClickError as error:
        if OUT_OF_REACH in str(error):
            raise TooComplex("a program of the kernel path is longer than a BPF jump reaches", hint=SHORTER) from None
        if CRASHED not in str(error):
            raise
        return run_compiler([*command, *AFTER_CRASH], "compiling the kernel path", given)
