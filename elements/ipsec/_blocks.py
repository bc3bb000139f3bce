"""Arguments that elements for ESP packets have in common."""

from collections.abc import Mapping
from types import SimpleNamespace

from clickbpf.declare import ArgError, Integer

BLOCK = Integer(8)


def check_block(cfg: SimpleNamespace) -> None:
    if cfg.block not in (8, 16):
        raise ArgError("BLOCK must be 8 or 16", "DES has blocks of 8 bytes, AES of 16", argument="BLOCK")


def next_header_constant(cfg: SimpleNamespace) -> Mapping[str, tuple[str, str]]:
    """-1 where there is no NEXT_HEADER; the same for SPI, which is 0 then."""
    return {
        "next_header": ("int", str(-1 if cfg.next_header is None else cfg.next_header)),
        "spi": ("__u32", str(cfg.spi or 0)),
    }
