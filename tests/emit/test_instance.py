"""What an instance has in C: its class's numbers, and macros that end with its C file, so that no header may have one of the same name."""

import re
from enum import IntEnum, IntFlag
from pathlib import Path
from types import SimpleNamespace

import pytest

from clickbpf.emit.instance import constants, declare
from clickbpf.objects.ctext import c_string
from clickbpf.vocabulary.element import Element
from clickbpf.vocabulary.library import own_elements


def macros(path: Path) -> set[str]:
    return set(re.findall(r"^#define (\w+)", path.read_text(), re.MULTILINE))


@pytest.mark.parametrize(
    "c_type, declared",
    [("int", "int x"), ("__u8[6]", "__u8 x[6]"), ("struct { __u8 addr[16], mask[16]; }", "struct { __u8 addr[16], mask[16]; } x")],
)
def test_members(c_type, declared):
    assert declare(c_type, "x") == declared


def test_no_class_defines_a_macro_of_a_header():
    headers = set().union(*map(macros, own_elements().rglob("*.h")))
    assert {"NS_PER_SECOND", "GAP_SHIFT"} <= headers
    assert {str(path): taken for path in own_elements().rglob("*.c") if (taken := macros(path) & headers)} == {}


def test_numbers_that_both_sides_know_are_declared_once():
    """The C file of a class has no number of an operation: a class's are its `operations`, SELF(NAME) in C."""
    numbered = re.compile(r"\bop [=!]= \d|\bswitch \(op\) \{\s*case \d")
    assert [str(path) for path in own_elements().rglob("*.[ch]") if numbered.search(path.read_text())] == []


def test_functions_of_a_class_are_the_instances_own():
    """Instances of different forms are compiled together."""
    defined = re.compile(r"^static (?:\w+ |__attribute__\(\(\w+\)\) |\*)*(\w+)\(", re.MULTILINE)
    files = [path for path in own_elements().rglob("*.c") if path.with_suffix(".py").exists()]
    assert [f"{path}: {name}" for path in files for name in defined.findall(path.read_text()) if name not in ("SELF", "OTHER")] == []


def test_enums_are_the_instances_own():
    class Size(IntEnum):
        ROOM = 3
        LEAST = 3

    class Bit(IntFlag):
        OPEN = 1
        SHUT = 2

    class Class(Element):
        operations = ("STOP", "GO")
        enums = (Size, Bit)

    text = constants(Class("x", SimpleNamespace(), 1, 1), "e_x")
    wanted = ("STOP = 0, e_x_GO = 1,", "ROOM = 3, e_x_LEAST = 3,", "OPEN = 1, e_x_SHUT = 2,")
    assert re.sub(r"\s+", " ", text).startswith(" ".join(f"enum {{ e_x_{numbers} }};" for numbers in wanted))


def test_c_files_know_the_element_and_its_ports():
    text = constants(Element('a"b', SimpleNamespace(), 3, 2), "e_x")
    assert "e_x_ninputs = 3, e_x_noutputs = 2 }" in text
    assert f"char e_x_name[] __attribute__((unused)) = {c_string('a' + chr(34) + 'b')};" in text
