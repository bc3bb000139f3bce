"""The common part of the classes for GRE: arguments, and the optional key (RFC 2890, 2.1)."""

from collections.abc import Mapping

from clickbpf.declare import Bool, Integer, Keyword

#: Arguments for both ends of a tunnel.
OPTIONS = (
    Keyword("CHECKSUM", Bool(), False, "whether the header must have a correct checksum"),
    Keyword("KEY", Integer(32), text="the key that the header must have. Default none; in FastClick, 0 also means none"),
    Keyword("SEQUENCE", Bool(), False, "whether the header must have a valid sequence number"),
)


def key_constants(key: int | None) -> Mapping[str, tuple[str, str]]:
    """C constants: whether there is a key, and the key in host order."""
    return {"has_key": ("bool", "false" if key is None else "true"), "key": ("__u32", f"{key or 0}U")}
