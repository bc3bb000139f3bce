"""Native code: the runtime's library, and a router's shared object, which is linked to it.

The library (userspace/**/*.c) is compiled once for each version of its sources, and so is each unit of elements' algorithms
(includes.py). A router's shared object is its own code and the units whose headers it includes; it finds the library, which is loaded
already, by its name. Units are linked to the router and not to the library: so users' elements have units like clickbpf's own, and an
object that carries its router carries the units too.
"""

import os
import re
import shlex
import shutil
import subprocess
from collections.abc import Mapping, Sequence
from functools import cache, partial
from pathlib import Path
from types import MappingProxyType

from clickbpf.background import Background
from clickbpf.build.compiler import at_once, run_compiler, version_of
from clickbpf.build.includes import content_of, units_of
from clickbpf.build.sources import folder
from clickbpf.cache import cached, compiled, content_hash, found
from clickbpf.errors import ClickError
from clickbpf.frozen import frozen
from clickbpf.vocabulary import drops

USERSPACE = folder("userspace")
#: Folders with headers that a router includes; from bpf/, those about data that both executors share.
HEADERS = (USERSPACE, folder("bpf"), folder("elements"))

COMPILERS = ("clang-19", "clang", "gcc")
#: Packets are read through pointers of any type (-fno-strict-aliasing). Line numbers (-g1) are enough for backtraces and profiles, and
#: compile a quarter faster than -g.
FLAGS = ("-std=gnu11", "-O2", "-g1", "-fPIC", "-fno-strict-aliasing", "-fvisibility=hidden", "-pthread", "-Wall", "-Wextra")
LIBRARIES = ("-lxdp", "-lbpf", "-lpcap", "-lz", "-lbz2", "-llzma", "-lcrypto")

#: The environment variable with further flags for routers, not for the library: with -O0 routers compile four times as fast.
FLAGS_VARIABLE = "CLICKBPF_CFLAGS"

#: Flags that compile in a quarter of the time, for a router that begins with this object and goes on with an optimised one.
QUICK = ("-O0", "-g0")
#: Has the linker keep SCRATCH variables (lasting.h) in a section of their own: they alone may be lost with an object.
_APART = "--unique=.bss.scratch"
#: Sections whose variables would be lost with the object (lasting.h); and variables in them that every object has.
_LOST, _NOT_LOST = (".data", ".bss", ".tdata", ".tbss"), ("completed.0", "__dso_handle")

#: Generated headers: texts by the names under which C includes them.
NO_HEADERS: Mapping[str, str] = MappingProxyType({})

#: A hash of a router's text with all that it includes, and the router's units.
Content = tuple[str, list[Path]]

#: Lines that say which element comes next.
_REMARKS = re.compile(r"^/\* (?:(?!\*/).)*\*/$", re.MULTILINE)
_SANITIZERS = {"address": "asan", "thread": "tsan"}
#: Packets contain unaligned words. Everything else that is found ends the program, as with the other sanitizers.
_UNDEFINED = ("-fno-sanitize=alignment", "-fno-sanitize-recover=undefined")


@frozen
class Compiler:
    """A C compiler with the flags for all files. `identity` distinguishes versions."""

    path: str
    identity: str
    flags: tuple[str, ...]

    def links(self) -> bool:
        """Whether it can link a program with these flags: a sanitizer's library may be missing."""
        command = [self.path, *self.flags, "-x", "c", "-", "-o", os.devnull]
        return subprocess.run(command, input=b"int main(void) { return 0; }", capture_output=True, check=False).returncode == 0

    def run(self, *arguments: str, input: str | None = None, background: Background | None = None) -> str:
        """Run the compiler; returns its standard output. Raises ClickError with the compiler's messages."""
        return run_compiler([self.path, *self.flags, *arguments], "compiling the router", input, background)


def _flags(sanitize: str | None) -> tuple[str, ...]:
    """A sanitizer sees no less in code that isn't optimised, which compiles in a third of the time; libFuzzer wants fast code."""
    if not sanitize:
        return FLAGS
    quick = () if "fuzzer" in sanitize else ("-O0",)
    return (*FLAGS, *quick, f"-fsanitize={sanitize}", "-fno-omit-frame-pointer", *(_UNDEFINED if "undefined" in sanitize else ()))


@cache
def find_compiler(sanitize: str | None = None) -> Compiler:
    """The first of COMPILERS that is installed and has the runtime library of the sanitizer."""
    flags = _flags(sanitize)
    for name in COMPILERS:
        path = shutil.which(name)
        if path is None:
            continue
        compiler = Compiler(path, version_of(path), flags + (("-shared-libsan",) if sanitize and "clang" in name else ()))
        if not sanitize or compiler.links():
            return compiler
    with_what = f" that can check with -fsanitize={sanitize}" if sanitize else ""
    raise ClickError(f"no C compiler{with_what} found", hint=f"install one of {', '.join(COMPILERS)}")


@cache
def sanitizer_library(sanitize: str) -> Path:
    """The shared library that a program has to preload (LD_PRELOAD) before it loads code compiled with `sanitize`: "thread", "address",
    or "address,undefined"."""
    compiler = find_compiler(sanitize)
    library = _SANITIZERS[sanitize.partition(",")[0]]
    name = f"lib{library}.so"
    if "clang" in compiler.path:
        name = f"libclang_rt.{library}-{os.uname().machine}.so"
    return Path(compiler.run(f"-print-file-name={name}").strip()).resolve()


def build_router(
    text: str,
    sanitize: str | None = None,
    libraries: Sequence[str] = (),
    library: Path | None = None,
    headers: Mapping[str, str] = NO_HEADERS,
    flags: Sequence[str] = (),
    background: Background | None = None,
    content: Content | None = None,
) -> Path:
    """Compile the emitted C `text` to a shared object that the runtime can load; the file is in the cache.

    `libraries` are more libraries to link with, as -l names them. `library` is the runtime's library if it is loaded already: a process
    must not have two. `headers` are generated headers that its units include. `flags` are more flags, for the text alone. `background` runs
    the compiler, if given. `content` is router_content()'s result, if the caller has it.
    """
    library = library or build_library(sanitize)
    folders = _folders(headers)
    content, units = content or router_content(text, headers)
    links = [f"-l{name}" for name in libraries]

    def make(path: Path) -> None:
        compiler, own = find_compiler(sanitize), path.with_suffix(".o")

        def compile_own() -> Path:
            given = (*flags, *_more_flags(), *_including(folders), "-c", "-x", "c", "-", "-o", str(own))
            compiler.run(*given, input=text, background=background)
            return own

        objects = (partial(build_unit, unit, sanitize, headers) for unit in units)
        files = (*at_once(compile_own, *objects), str(library), *links, "-o", str(path))
        checking = [str(sanitizer_library(sanitize))] if sanitize else []
        if not _link(*files, *checking):
            compiler.run("-shared", f"-Wl,{_APART}", *files)

    return compiled(_router_stem(content, sanitize, libraries, flags), ".so", lambda: find_compiler(sanitize).identity, make)


def router_content(text: str, headers: Mapping[str, str] = NO_HEADERS) -> Content:
    """A hash of the text with all that it includes, and the units to link with it. Routers that differ in remarks alone, as in an argument
    that no code has, share an object."""
    return units_of(_REMARKS.sub("", text), _folders(headers), USERSPACE)


def built_router(content: Content, sanitize: str | None = None, libraries: Sequence[str] = ()) -> Path | None:
    """The object that build_router() would return without compiling it, or None."""
    return found(_router_stem(content[0], sanitize, libraries), ".so", lambda: find_compiler(sanitize).identity)


def optimises() -> bool:
    """Whether routers are optimised as usual: the environment has no -O flag for them."""
    return not any(flag.startswith("-O") for flag in _more_flags())


def is_exchangeable(path: Path) -> bool:
    """Whether an object with the same code can replace this one in a running router: all variables are where the other finds them
    (lasting.h)."""
    return not _variables(path, _LOST) - {*_NOT_LOST}


def _variables(path: Path, sections: Sequence[str]) -> set[str]:
    """The names of variables, thread-local ones included, in these sections of an object."""
    from elftools.elf.elffile import ELFFile

    with path.open("rb") as file:
        elf = ELFFile(file)
        inside = {number for number, section in enumerate(elf.iter_sections()) if section.name in sections}
        symbols = elf.get_section_by_name(".symtab").iter_symbols()
        kinds = ("STT_OBJECT", "STT_TLS")
        return {s.name for s in symbols if s["st_shndx"] in inside and s["st_info"]["type"] in kinds and s["st_size"]}


def build_unit(source: Path, sanitize: str | None = None, headers: Mapping[str, str] = NO_HEADERS) -> Path:
    """Compile a unit, always without the environment's flags."""
    folders = _folders(headers)
    content = content_of(source.read_text(), folders, source.parent)
    stem = f"unit-{content_hash((os.uname().machine, *_flags(sanitize), content))}"

    def make(path: Path) -> None:
        find_compiler(sanitize).run(*_including(folders), "-c", str(source), "-o", str(path))

    return compiled(stem, ".o", lambda: find_compiler(sanitize).identity, make)


def _link(*arguments: str) -> bool:
    """Call the linker directly, in a tenth of the time that the compiler takes to call it. False if this fails: a library is missing
    that the compiler would add, or there is no such linker."""
    linker = shutil.which("ld")
    command = [linker or "", "-shared", "--no-undefined", "--eh-frame-hdr", _APART, *arguments, "-lc"]
    return linker is not None and subprocess.run(command, capture_output=True, check=False).returncode == 0


def router_stem(text: str, sanitize: str | None = None, libraries: Sequence[str] = (), headers: Mapping[str, str] = NO_HEADERS) -> str:
    """The name of the router's file, without the part for the compiler."""
    return _router_stem(router_content(text, headers)[0], sanitize, libraries)


def _router_stem(content: str, sanitize: str | None, libraries: Sequence[str], flags: Sequence[str] = ()) -> str:
    parts = (*_flags(sanitize), *flags, *_more_flags(), *libraries, _library_stem(sanitize), content)
    return f"router-{content_hash((os.uname().machine, *parts))}"


def _more_flags() -> list[str]:
    return shlex.split(os.environ.get(FLAGS_VARIABLE, ""))


def check_router(text: str) -> None:
    """Check the emitted C `text` without compiling it; ClickError with the compiler's messages if it has errors."""
    find_compiler().run(*_including(_folders()), "-fsyntax-only", "-x", "c", "-", input=text)


def build_library(sanitize: str | None = None) -> Path:
    """Compile the runtime's library."""
    stem = _library_stem(sanitize)

    def make(path: Path) -> None:
        compiler, including = find_compiler(sanitize), _including(_folders())

        def compile_one(source: Path, number: int) -> Path:
            made = path.with_suffix(f".{number}.o")
            compiler.run(*including, "-c", str(source), "-o", str(made))
            return made

        objects = at_once(*(partial(compile_one, source, number) for number, source in enumerate(_library_sources())))
        compiler.run("-shared", *objects, *LIBRARIES, f"-Wl,-soname,{stem}.so", "-o", str(path))

    return compiled(stem, ".so", lambda: find_compiler(sanitize).identity, make)


def _library_sources() -> list[Path]:
    return sorted(USERSPACE.rglob("*.c"))


@cache
def _library_stem(sanitize: str | None) -> str:
    """The library's name without the part for the compiler; routers are linked to this name, whichever compiler made it."""
    shared = (*(folder("bpf") / name for name in ("batch.h", "handover.h", "siphash.h")), folder("elements") / "annotations.h")
    headers = (*sorted(USERSPACE.rglob("*.h")), *shared)
    content = (part for file in (*_library_sources(), *headers) for part in (file.name, file.read_bytes()))
    return f"libclickbpf-{content_hash((os.uname().machine, *_flags(sanitize), *LIBRARIES, drops_header(), *content))}"


def drops_header() -> str:
    return f"#ifndef CLICKBPF_DROPS_H\n#define CLICKBPF_DROPS_H\n{drops.c_enum()}#endif\n"


def _including(folders: Sequence[Path]) -> list[str]:
    return [f"-I{directory}" for directory in folders]


def _folders(headers: Mapping[str, str] = NO_HEADERS) -> tuple[Path, ...]:
    """The folders with headers: those of the generated ones (the drop reasons, and `headers`), and HEADERS."""
    made = (_generated(name, text) for name, text in sorted({**headers, "drops.h": drops_header()}.items()))
    return (*made, *HEADERS)


def _generated(name: str, text: str) -> Path:
    """A folder that contains a header with this text."""
    return cached(f"include-{content_hash((name, text))}/{name}", lambda path: path.write_text(text)).parent
