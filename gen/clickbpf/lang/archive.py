"""ar(1) archives: a configuration with the files that belong to it.

An archive is the line `!<arch>`, then for each member a 60-byte header (name 16, date 12, uid 6,
gid 6, mode 8, size 10 bytes, all text, then "`\\n") and the data, padded to an even length.  Names
end in `/` in GNU archives. A long name is written as `/123`, for offset 123 of the member `//` (GNU), or as `#1/5`, for 5 bytes
before the data (BSD).
"""

from clickbpf import digits
from clickbpf.errors import ClickError, Place

MAGIC = b"!<arch>\n"
_HEADER = 60


def is_archive(data: bytes) -> bool:
    return data.startswith(MAGIC)


def read_archive(data: bytes, file: str) -> dict[str, bytes]:
    """The members by name, in order; raises `ClickError` for a damaged archive."""
    members: dict[str, bytes] = {}
    long_names = b""
    pos = len(MAGIC)
    while pos < len(data):
        header = data[pos : pos + _HEADER]
        name, size = header[:16].decode("latin-1").rstrip(), header[48:58].strip()
        if len(header) < _HEADER or header[58:] != b"`\n" or not size.isdigit():
            raise ClickError(f"damaged archive: bad header at byte {pos}", Place(file, 1, 1))
        content = data[pos + _HEADER : pos + _HEADER + int(size)]
        if len(content) < int(size):
            raise ClickError(f"damaged archive: member '{name}' is cut off", Place(file, 1, 1))
        pos += _HEADER + int(size) + int(size) % 2
        if name == "//":
            long_names = content
            continue
        if name.startswith("#1/") and (length := digits.number(name[3:])) is not None:
            name, content = content[:length].rstrip(b"\0").decode("latin-1"), content[length:]
        elif name.startswith("/") and (begin := digits.number(name[1:])) is not None:
            name = long_names[begin:].split(b"\n")[0].decode("latin-1")
        if name not in ("/", "__.SYMDEF"):  # symbol tables
            members[name.removesuffix("/")] = content
    return members


def write_archive(members: dict[str, bytes]) -> bytes:
    """An archive of `members`; names longer than 15 characters are written as BSD does."""
    out = bytearray(MAGIC)
    for name, content in members.items():
        encoded = name.encode("latin-1")
        if len(encoded) > 15 or " " in name or name.startswith("/"):
            name, content = f"#1/{len(encoded)}", encoded + content
        else:
            name += "/"
        header = f"{name:<16}{0:<12}{0:<6}{0:<6}{'644':<8}{len(content):<10}`\n"
        out += header.encode("latin-1") + content + b"\n" * (len(content) % 2)
    return bytes(out)
