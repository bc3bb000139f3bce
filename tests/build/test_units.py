"""Units: algorithms of elements that are compiled once, and linked to the routers that include their headers."""

import ctypes
from pathlib import Path

import pytest
from elftools.elf.elffile import ELFFile

from clickbpf.build.host import USERSPACE, build_library, build_router, build_unit, router_stem
from clickbpf.build.includes import units_of
from clickbpf.objects.ctext import c_include
from clickbpf.runtime.library import load_library
from clickbpf.vocabulary.library import Library, own_elements

ASKING = '__attribute__((visibility("default"))) int answer(void)\n{\n\treturn UNIT();\n}\n'
#: One unit that calls another.
FILES = {
    "first.h": "#ifndef FIRST_H\n#define FIRST_H\nint first(void);\n#endif\n",
    "first.c": '#include "first.h"\n#include "second.h"\n\nint first(void)\n{\n\treturn 2 * second();\n}\n',
    "second.h": "#ifndef SECOND_H\n#define SECOND_H\nint second(void);\n#endif\n",
    "second.c": '#include "numbers.h"\n#include "second.h"\n\nint second(void)\n{\n\treturn NUMBER;\n}\n',
}
NUMBERS = {"numbers.h": "#define NUMBER 21\n"}


@pytest.fixture
def folder(tmp_path) -> Path:
    """A folder of a user's, with units."""
    load_library(build_library())
    for name, text in FILES.items():
        (tmp_path / name).write_text(text)
    return tmp_path


def including(folder: Path, name: str) -> str:
    return c_include(folder / f"{name}.h") + ASKING.replace("UNIT", name)


def units(text: str) -> list[str]:
    return [path.name for path in units_of(text, (own_elements(), USERSPACE), USERSPACE)[1]]


def test_a_router_has_the_units_that_it_includes_and_those_that_they_need(folder):
    assert units(including(folder, "first")) == ["first.c", "second.c"]
    assert units(including(folder, "second")) == ["second.c"]
    made = build_router(including(folder, "first"), headers=NUMBERS)
    assert ctypes.CDLL(str(made)).answer() == 42


@pytest.mark.parametrize("name", ["first.c", "second.c", "second.h"])
def test_a_router_is_another_one_when_a_unit_changes(folder, name):
    text = including(folder, "first")
    before = router_stem(text, headers=NUMBERS)
    (folder / name).write_text(FILES[name] + "\n")
    assert router_stem(text, headers=NUMBERS) != before


def test_a_router_is_another_one_when_a_header_for_units_changes(folder):
    text = including(folder, "first")
    other = {"numbers.h": "#define NUMBER 4\n"}
    assert router_stem(text, headers=NUMBERS) != router_stem(text, headers=other)
    assert ctypes.CDLL(str(build_router(text, headers=other))).answer() == 8


def test_a_unit_is_compiled_once(folder, monkeypatch):
    """Whatever routers include it, and whatever else they bring."""
    made = build_unit(folder / "second.c", headers=NUMBERS)
    monkeypatch.setenv("CLICKBPF_CFLAGS", "-O0")
    before = made.stat().st_mtime_ns, made.stat().st_ino
    assert build_unit(folder / "second.c", headers={**NUMBERS, "more.h": "#define MORE 1\n"}) == made
    build_router(including(folder, "first"), headers={**NUMBERS, "more.h": "#define MORE 1\n"})
    assert made.stat().st_ino == before[1]


def test_a_unit_is_checked_by_the_sanitizer_that_its_router_is_checked_by(folder):
    text = "int first(void);\nint *first_of(int *at);\n\nint *first_of(int *at)\n{\n\treturn at + *at;\n}\n"
    (folder / "first.c").write_text(text)
    made = build_unit(folder / "first.c", "address")
    assert made != build_unit(folder / "first.c")
    assert any(name.startswith("__asan_report") for name in symbols(made, "SHN_UNDEF"))


def test_what_is_a_unit():
    """Neither the runtime's own files nor those of classes, whose names a header may bear."""
    assert units('#include "pkt.h"\n') == []
    assert units('#include "nat/keeper.h"\n') == ["bindings.c", "expiry.c", "heap.c", "keeper.c", "sequence.c", "index.c"]
    assert (own_elements() / "ip6" / "ip6encap.c").exists() and units('#include "ip6/ip6.h"\n') == []


def own_units() -> list[Path]:
    sources = own_elements().rglob("*.c")
    return sorted(path for path in sources if path.with_suffix(".h").exists() and not path.with_suffix(".py").exists())


def headers_of_all() -> dict[str, str]:
    library = Library.standard()
    return {name: text() for class_ in map(library.find, library.names()) for name, text in class_.headers.items()}


def test_units_have_no_variables():
    """A router that goes on with other code has other copies of its units: what they remember is in what they are given."""
    headers = headers_of_all()
    assert {path.name for path in own_units()} >= {"keeper.c", "index.c", "arptables.c"}
    for path in own_units():
        with build_unit(path, headers=headers).open("rb") as file:
            written = [section for section in ELFFile(file).iter_sections() if section.name.startswith((".data", ".bss"))]
            assert [section.name for section in written if section["sh_size"] and ".rel.ro" not in section.name] == [], path


def symbols(path: Path, section: str) -> list[str]:
    with path.open("rb") as file:
        table = ELFFile(file).get_section_by_name(".symtab")
        return [symbol.name for symbol in table.iter_symbols() if symbol["st_shndx"] == section]
