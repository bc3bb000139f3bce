from __future__ import annotations

from pathlib import Path

from clickbpf.vocabulary.element import PULL

from .null import Null


class PullNull(Null):
    """passes pulled packets unchanged

    Synopsis: `PullNull`

    A Null whose ports are pull: a push path through it is refused.

    Ports: one pull input, one pull output.

    Example:

        FromDevice(eth0) -> Queue -> PullNull -> ToDevice(eth1);
    """

    processing = PULL
    aliases = ()

    @classmethod
    def c_source(cls) -> Path | None:
        return Null.c_source()
