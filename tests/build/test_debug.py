"""What an object of the kernel path says of its source: types and lines for bpftool and the verifier's log, and no more."""

import pytest
from elftools.elf.elffile import ELFFile

from clickbpf.testing.executors.source import Source

pytestmark = pytest.mark.needs("clang-19")


def test_variables_of_functions_have_no_debug_information():
    """It would take clang a third of its time."""
    source = Source("FromDevice(in) -> c :: Counter -> Strip(14) -> CheckIPHeader -> LookupIPRoute(10.0.0.0/8 0) -> Queue -> ToDevice(out)")
    with open(source.compile().build_bpf(), "rb") as file:
        dwarf = ELFFile(file).get_dwarf_info()
        (unit,) = dwarf.iter_CUs()
        variables = {die for die in unit.iter_DIEs() if die.tag == "DW_TAG_variable"}
        globals = variables & set(unit.get_top_DIE().iter_children())
        names = {die.attributes["DW_AT_name"].value.decode() for die in globals}
        lines = {entry.name.decode() for entry in dwarf.line_program_for_CU(unit).header.file_entry}
    assert {"slots", "drops", "counters"} <= names and globals == variables
    assert "checkipheader.c" in {name.rpartition("/")[2] for name in lines}
