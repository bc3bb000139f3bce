"""What the classes for GRE have in common: a key that packets may have (RFC 2890, 2.1)."""

from collections.abc import Mapping

from clickbpf.declare import Bool, Integer, Keyword

#: Arguments that both ends of a tunnel have.
OPTIONS = (
    Keyword("CHECKSUM", Bool(), False, "whether the header must have a checksum, and a right one"),
    Keyword("KEY", Integer(32), text="the key that the header must have. Default none; in FastClick 0 means none, too"),
    Keyword("SEQUENCE", Bool(), False, "whether the header must have a sequence number, and a right one"),
)


def key_constants(key: int | None) -> Mapping[str, tuple[str, str]]:
    """The key for C, in host order, and whether there is one."""
    return {"has_key": ("bool", "false" if key is None else "true"), "key": ("__u32", f"{key or 0}U")}
