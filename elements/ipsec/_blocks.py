"""Common arguments of elements for ESP packets."""

from collections.abc import Mapping
from types import SimpleNamespace

from clickbpf.declare import ArgError, Integer

BLOCK = Integer(8)


def check_block(cfg: SimpleNamespace) -> None:
    if cfg.block not in (8, 16):
        raise ArgError("BLOCK must be 8 or 16", "DES has blocks of 8 bytes, AES of 16", argument="BLOCK")


def next_header_constant(cfg: SimpleNamespace) -> Mapping[str, tuple[str, str]]:
    """C constants: NEXT_HEADER, -1 for none; SPI, 0 for none."""
    return {
        "next_header": ("int", str(-1 if cfg.next_header is None else cfg.next_header)),
        "spi": ("__u32", str(cfg.spi or 0)),
    }
