"""BPF objects: compiles the emitted C with clang, and puts the manifest into its section."""

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
#: v3 has 32-bit arithmetic and jumps; Linux 6.1 has no newer version. Joining copies across blocks saves instructions: clang doesn't know
#: that few packets take most of these blocks.
FLAGS = ("-target", "bpf", "-mcpu=v3", "-O2", "-g", "-std=gnu11", "-fno-strict-aliasing", "-mllvm", "-join-globalcopies")
#: FUNCTIONS (packet.h) is a pragma about variables, which clang warns of where there are none.
WARNINGS = ("-Wall", "-Wno-unused-function", "-Wno-pragma-clang-attribute")
#: The environment variable with further flags. -gno-inline-line-tables saves a quarter of a large program's compile time, and more the
#: larger it is, since clang compares each line's text with all before it (2 of 22 s with 64 IPRewriters, 40 of 120 with 256). The
#: instructions stay the same, but then nobody can say which element an instruction comes from (load/kernel/symbols.py).
FLAGS_VARIABLE = "CLICKBPF_BPF_CFLAGS"

#: A message of clang's crashes, and the options for a second attempt. They leave out the pass (MI peephole) in which clang 19 crashes
#: on some programs, and which saves some extensions of 32-bit values to 64 bits.
CRASHED, AFTER_CRASH = "frontend command failed", ("-mllvm", "-disable-bpf-peephole")
#: clang's message about a jump over more than 32767 instructions, and what helps.
OUT_OF_REACH = "Branch target out of insn range"
SHORTER = "lower the limit of a program (--program-limit), or give every element its own (--chain)"


def build_bpf(text: str, manifest: Manifest, sections: Mapping[str, bytes] = MappingProxyType({})) -> Path:
    """Compile the kernel path's C `text`, and put the manifest and `sections` into the object, which is in the cache. ClickError if clang
    fails.

    The text is kept in the cache as well: the object refers to its lines, for the verifier's log and for bpftool.
    """
    return _compile(_kept(text), {SECTION: manifest.to_json().encode(), **sections})


def build_helper(name: str) -> Path:
    """Compile a hand-written program, `bpf/NAME.bpf.c`."""
    return build_program(folder("bpf") / f"{name}.bpf.c")


def build_program(source: Path) -> Path:
    """Compile a hand-written C file; its object has no manifest."""
    return _compile(source, {})


def _compile(source: Path, sections: Mapping[str, bytes]) -> Path:
    """The object compiled from a C file, in the cache, with `sections` added."""
    content = content_of(source.read_text(), _folders(), source.parent)

    def make(path: Path) -> None:
        section = "".join(_section(path.with_suffix(f".{n}"), name, data) for n, (name, data) in enumerate(sections.items()))
        _clang(["-x", "c", "-c", "-o", str(path), "-"], c_include(source) + section)

    parts = (part for name, data in sections.items() for part in (name, data))
    return compiled(f"bpf/{content_hash((*_flags(), content, *parts))}", ".o", lambda: find_clang()[1], make)


def preprocess(text: str) -> str:
    """The kernel path's C `text` with includes and macros expanded, and line markers for the origin of each line."""
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
    raise ClickError("no clang found to compile the kernel path", hint="install clang-19")


def _system_headers() -> tuple[str, ...]:
    """The folder in which Debian and its derivatives have <asm/types.h>, which clang doesn't search for the BPF target."""
    headers = Path(f"/usr/include/{os.uname().machine}-linux-gnu")
    return (str(headers),) if headers.is_dir() else ()


def _run(command: list[str], given: str | None = None) -> str:
    try:
        return run_compiler(command, "compiling the kernel path", given)
    except ClickError as error:
        if OUT_OF_REACH in str(error):
            raise TooComplex("a program of the kernel path is too long for a BPF jump", hint=SHORTER) from None
        if CRASHED not in str(error):
            raise
        return run_compiler([*command, *AFTER_CRASH], "compiling the kernel path", given)
