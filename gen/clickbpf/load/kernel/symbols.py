"""Finds the C functions, inlined ones included, that an instruction of a program comes from; and the maps that a program uses."""

from collections.abc import Iterator
from io import BytesIO

from elftools.dwarf.die import DIE
from elftools.dwarf.ranges import BaseAddressEntry
from elftools.elf.elffile import ELFFile

#: Bytes of a BPF instruction.
INSTRUCTION = 8
#: The type of a relocation that puts a map's address into an instruction (R_BPF_64_64).
MAP_RELOCATION = 1


def functions_at(content: bytes, program: str, instruction: int) -> tuple[str, ...]:
    """Names of the functions at an instruction, the innermost first. Instructions are numbered as by the verifier.

    Empty if the instruction is in a function that is called, not inlined (whose position in the loaded program depends on the linker), or
    the object has no DWARF.
    """
    elf = ELFFile(BytesIO(content))
    symbol = next((s for s in elf.get_section_by_name(".symtab").iter_symbols() if s.name == program), None)
    if symbol is None or not elf.has_dwarf_info() or instruction * INSTRUCTION >= symbol["st_size"]:
        return ()
    address = symbol["st_value"] + instruction * INSTRUCTION
    for unit in elf.get_dwarf_info().iter_CUs():
        for die in unit.get_top_DIE().iter_children():
            if die.tag == "DW_TAG_subprogram" and _name(die) == program:
                return tuple(_chain(die, address))[::-1]
    return ()


def maps_of(content: bytes, program: str) -> dict[str, int]:
    """The maps that a program uses, each with the first instruction that uses it. A section of global variables is a map. Functions that
    aren't inlined are ignored."""
    elf = ELFFile(BytesIO(content))
    symbols = elf.get_section_by_name(".symtab")
    own = next((symbol for symbol in symbols.iter_symbols() if symbol.name == program), None)
    relocations = own and elf.get_section_by_name(f".rel{elf.get_section(own['st_shndx']).name}")
    found: dict[str, int] = {}
    for entry in relocations.iter_relocations() if relocations else ():
        place = entry["r_offset"] - own["st_value"]
        if not 0 <= place < own["st_size"] or entry["r_info_type"] != MAP_RELOCATION:
            continue
        symbol = symbols.get_symbol(entry["r_info_sym"])
        section = elf.get_section(symbol["st_shndx"]).name
        found.setdefault(symbol.name if section == ".maps" else section, place // INSTRUCTION)
    return found


def _chain(die: DIE, address: int) -> Iterator[str]:
    """The function and the functions inlined at the address, the outermost first."""
    if die.tag in ("DW_TAG_subprogram", "DW_TAG_inlined_subroutine"):
        yield _name(die)
    for child in die.iter_children():
        if child.tag in ("DW_TAG_inlined_subroutine", "DW_TAG_lexical_block") and _covers(child, address):
            yield from _chain(child, address)


def _covers(die: DIE, address: int) -> bool:
    if "DW_AT_ranges" in die.attributes:
        return any(start <= address < end for start, end in _ranges(die))
    if "DW_AT_low_pc" not in die.attributes:
        return False
    low, high = die.attributes["DW_AT_low_pc"].value, die.attributes["DW_AT_high_pc"]
    end = high.value if high.form == "DW_FORM_addr" else low + high.value
    return low <= address < end


def _ranges(die: DIE) -> Iterator[tuple[int, int]]:
    """The addresses of code that is in several pieces: (first, after the last) of each (DWARF 5, section 2.17.3)."""
    base = die.cu.get_top_DIE().attributes["DW_AT_low_pc"].value
    for entry in die.dwarfinfo.range_lists().get_range_list_at_offset(die.attributes["DW_AT_ranges"].value, die.cu):
        if isinstance(entry, BaseAddressEntry):
            base = entry.base_address
            continue
        offset = 0 if entry.is_absolute else base
        yield entry.begin_offset + offset, entry.end_offset + offset


def _name(die: DIE) -> str:
    """A function's name; for an inlined copy, its origin's name."""
    while "DW_AT_name" not in die.attributes and "DW_AT_abstract_origin" in die.attributes:
        die = die.get_DIE_from_attribute("DW_AT_abstract_origin")
    name = die.attributes.get("DW_AT_name")
    return name.value.decode() if name else ""
