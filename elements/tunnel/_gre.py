"""What the classes for GRE have in common: a key that packets may have (RFC 2890, 2.1)."""

from __future__ import annotations

from collections.abc import Mapping

from clickbpf.args import Bool, Integer, Keyword

#: Arguments that both ends of a tunnel have.
OPTIONS = (Keyword("CHECKSUM", Bool(), False), Keyword("KEY", Integer(32)), Keyword("SEQUENCE", Bool(), False))


def key_constants(key: int | None) -> Mapping[str, tuple[str, str]]:
    """The key for C, in host order, and whether there is one."""
    return {"has_key": ("bool", "false" if key is None else "true"), "key": ("__u32", f"{key or 0}U")}
