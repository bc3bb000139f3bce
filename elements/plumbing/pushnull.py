from __future__ import annotations

from pathlib import Path

from clickbpf.vocabulary.element import PUSH

from .null import Null


class PushNull(Null):
    """passes pushed packets unchanged

    Synopsis: `PushNull`

    A Null whose ports are push: a pull path through it is refused.

    Ports: one push input, one push output.

    Example:

        FromDevice(eth0) -> PushNull -> Discard;
    """

    processing = PUSH
    aliases = ()

    @classmethod
    def c_source(cls) -> Path | None:
        return Null.c_source()
