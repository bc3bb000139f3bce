"""The instructions of a router's object, with libbpf's relocations, as the kernel gets them.

The kernel's verifier rewrites instructions, but doesn't change their meaning.
"""

import struct
from collections.abc import Mapping
from io import BytesIO
from typing import NamedTuple, Self

from elftools.elf.elffile import ELFFile

from clickbpf.frozen import frozen

#: Relocations of BPF objects: of a 64-bit constant, and of a call (R_BPF_64_64, R_BPF_64_32).
ADDRESS, CALL = 1, 10
#: Flags of sections with instructions (SHF_EXECINSTR).
EXECUTABLE = 4
#: Codes: BPF_LD | BPF_IMM | BPF_DW, which takes two slots, and BPF_JMP | BPF_CALL.
WIDE, CALLS = 0x18, 0x85
PSEUDO_CALL = 1


class Pointer(NamedTuple):
    """An address: a region of memory, and a 64-bit offset in it."""

    region: tuple
    offset: int


class Instruction(NamedTuple):
    """`value` is the immediate operand; for a wide instruction it is the constant or a Pointer, for a call within the object a Place."""

    code: int
    to: int
    source: int
    offset: int
    value: object


class Place(NamedTuple):
    """An instruction: its section, and its number there."""

    section: str
    number: int


@frozen
class Code:
    """An object's instructions by section, the first instructions of its programs, and the initial contents of its data sections."""

    sections: Mapping[str, list[Instruction | None]]
    programs: Mapping[str, Place]
    data: Mapping[str, bytes]
    #: The offset of each global constant in .rodata.
    constants: Mapping[str, int]

    @classmethod
    def of(cls, content: bytes) -> Self:
        return _Reader(ELFFile(BytesIO(content))).code()


class _Reader:
    def __init__(self, elf: ELFFile):
        self.elf, self.symbols = elf, elf.get_section_by_name(".symtab")

    def code(self) -> Code:
        text = [section for section in self.elf.iter_sections() if section["sh_flags"] & EXECUTABLE and section["sh_size"]]
        data = {s.name: s.data() for s in self.elf.iter_sections() if s.name.startswith((".data", ".rodata"))}
        named = [(s, self._section(s)) for s in self.symbols.iter_symbols() if isinstance(s["st_shndx"], int)]
        programs = {s.name: Place(where, s["st_value"] // 8) for s, where in named if s["st_info"]["type"] == "STT_FUNC"}
        constants = {s.name: s["st_value"] for s, where in named if where == ".rodata" and s["st_info"]["type"] == "STT_OBJECT"}
        return Code({section.name: self._instructions(section) for section in text}, programs, data, constants)

    def _section(self, symbol) -> str:
        return self.elf.get_section(symbol["st_shndx"]).name

    def _instructions(self, section) -> list[Instruction | None]:
        relocations = self._relocations(section.name)
        raw = list(struct.iter_unpack("<BBhi", section.data()))
        made: list[Instruction | None] = []
        for number, (code, registers, offset, value) in enumerate(raw):
            if len(made) > number:
                continue
            to, source = registers & 15, registers >> 4
            if code == WIDE:
                made += [Instruction(code, to, source, offset, self._constant(value, raw[number + 1][3], relocations.get(number))), None]
            elif code == CALLS and source == PSEUDO_CALL:
                made.append(Instruction(code, to, source, offset, self._called(section.name, number, value, relocations.get(number))))
            else:
                made.append(Instruction(code, to, source, offset, value))
        return made

    def _relocations(self, section: str) -> dict[int, object]:
        table = self.elf.get_section_by_name(f".rel{section}")
        rows = table.iter_relocations() if table else ()
        return {row["r_offset"] // 8: self.symbols.get_symbol(row["r_info_sym"]) for row in rows if row["r_info_type"] in (ADDRESS, CALL)}

    def _constant(self, low: int, high: int, symbol) -> int | Pointer:
        if symbol is None:
            return low & 0xFFFFFFFF | (high & 0xFFFFFFFF) << 32
        where = self._section(symbol)
        if where == ".maps":
            return Pointer(("map", symbol.name), 0)
        return Pointer(("value", where), symbol["st_value"] + low)

    def _called(self, section: str, number: int, value: int, symbol) -> Place:
        if symbol is None:
            return Place(section, number + 1 + value)
        return Place(self._section(symbol), symbol["st_value"] // 8 + value + 1)
