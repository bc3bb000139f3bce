"""Text in C: the only way in which words of a configuration, names of files among them, get into a C text.

Whatever comes in, what goes out is printable ASCII that stays inside of its string, comment or name. Numbers need none of
this; everything else that isn't the project's own text does.
"""

import re
from collections.abc import Mapping
from pathlib import Path

from clickbpf.errors import ClickError

#: Longest comment: it is for readers.
_COMMENT = 160


def c_string(text: str) -> str:
    """A string literal of the text's bytes. Three octal digits each, so that a digit after them stays a digit; no question
    mark, so that there is no trigraph."""
    data = text.encode("utf-8", "surrogateescape")
    return '"' + "".join(chr(byte) if 32 <= byte < 127 and byte not in b'"\\?' else f"\\{byte:03o}" for byte in data) + '"'


def c_comment(text: str) -> str:
    """A comment of one line; it neither ends early nor goes on in the next line."""
    plain = " ".join(text.split()).encode("ascii", "backslashreplace").decode()
    shown = re.sub(r"[^ -~]", "?", plain)
    if len(shown) > _COMMENT:
        shown = shown[: _COMMENT - 3] + "..."
    return f"/* {re.sub(r'[*](?=/)|/(?=[*])', lambda mark: mark[0] + ' ', shown)} */"


def c_identifier(text: str) -> str:
    """The text as the end of an identifier: characters that can't be in one become underscores. Two texts may give the same
    result."""
    return re.sub(r"[^A-Za-z0-9_]", "_", text)


def c_enum(prefix: str, numbers: Mapping[str, int]) -> str:
    """Numbers that Python and C share, as constants in C whose names begin with the prefix."""
    rows = "".join(f"\t{prefix}{name} = {number:d},\n" for name, number in numbers.items())
    return f"enum {{\n{rows}}};\n" if rows else ""


def c_once(name: str, text: str) -> str:
    """The text of a header of that name, with an include guard."""
    guard = f"CLICKBPF_{c_identifier(name).upper()}"
    return f"#ifndef {guard}\n#define {guard}\n{text}#endif\n"


def c_include(path: Path) -> str:
    """An #include of a file, by its whole path. C has no way to write some names; ClickError for those."""
    name = str(path.absolute())
    if not re.fullmatch(r'[^"\\\x00-\x1f\x7f]+', name.replace("??", '"')):
        raise ClickError(f"the path {name!r} can't be written in C", hint="quotes, backslashes, '??' and control characters can't be in it")
    return f'#include "{name}"\n'
