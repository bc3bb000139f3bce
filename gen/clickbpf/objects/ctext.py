"""Text in C: all words of a configuration, names of files among them, pass these functions on their way into a C text.

The results are always printable ASCII that can't leave its string, comment or name. Everything in C that is neither a number nor the
project's own text must come from here.
"""

import re
from collections.abc import Mapping
from pathlib import Path

from clickbpf.errors import ClickError

#: The longest comment; comments are only for readers.
_COMMENT = 160


def c_string(text: str) -> str:
    """A string literal of the text's bytes. Escapes have three octal digits, so that a digit after them isn't part of them; question marks
    are escaped, so that there are no trigraphs."""
    data = text.encode("utf-8", "surrogateescape")
    return '"' + "".join(chr(byte) if 32 <= byte < 127 and byte not in b'"\\?' else f"\\{byte:03o}" for byte in data) + '"'


def c_comment(text: str) -> str:
    """A comment of one line, which can neither end early nor continue on the next line."""
    plain = " ".join(text.split()).encode("ascii", "backslashreplace").decode()
    shown = re.sub(r"[^ -~]", "?", plain)
    if len(shown) > _COMMENT:
        shown = shown[: _COMMENT - 3] + "..."
    return f"/* {re.sub(r'[*](?=/)|/(?=[*])', lambda mark: mark[0] + ' ', shown)} */"


def c_identifier(text: str) -> str:
    """The text as the end of an identifier: other characters become underscores. Different texts may give the same result."""
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
    """An #include of a file by its absolute path. ClickError for names that can't be written in C."""
    name = str(path.absolute())
    if not re.fullmatch(r'[^"\\\x00-\x1f\x7f]+', name.replace("??", '"')):
        raise ClickError(f"the path {name!r} can't be written in C", hint="quotes, backslashes, '??' and control characters can't be in it")
    return f'#include "{name}"\n'
