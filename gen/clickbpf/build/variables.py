"""Names of the variables in an object's sections, by its table of symbols (System V ABI, chapter 4)."""

from __future__ import annotations

import struct
from collections.abc import Iterator, Sequence

#: Where a 64-bit ELF header has the section headers' offset, size, number, and the number of the one with their names.
_HEADERS = struct.Struct("=40xQ10xHHH")
#: Of a section header: name, type, offset, size, link.
_SECTION = struct.Struct("=II16xQQI20x")
#: Of a symbol: name, type, section, size.
_SYMBOL = struct.Struct("=IBxH8xQ")
_SYMTAB = 2
#: Types of symbols: variables, of all threads or one for each.
_VARIABLES = (1, 6)


def variables(content: bytes, sections: Sequence[str]) -> Iterator[str]:
    """Those in sections of these names, of a 64-bit object in this machine's byte order that isn't stripped."""
    offset, size, number, names = _HEADERS.unpack_from(content)
    headers = [_SECTION.unpack_from(content, offset + size * index) for index in range(number)]
    wanted = {index for index, (name, *_) in enumerate(headers) if _text(content, headers[names], name) in sections}
    for _, type_, start, length, link in headers:
        if type_ == _SYMTAB:
            for name, info, section, size in _SYMBOL.iter_unpack(content[start : start + length]):
                if info & 0xF in _VARIABLES and section in wanted and size:
                    yield _text(content, headers[link], name)


def _text(content: bytes, strings: tuple[int, ...], at: int) -> str:
    start = strings[2] + at
    return content[start : content.index(b"\0", start)].decode()
