from __future__ import annotations

from pathlib import Path

from clickbpf.args import Bool, Keyword

from .tee import Tee


class Duplicate(Tee):
    """sends a copy of each packet to every output, data included

    Synopsis: `Duplicate([N, DATA_ONLY ...])`

    A class of FastClick, where the copies of a Tee share their bytes until one of them is changed, and those of a Duplicate don't.
    Here no copies share bytes, and it does what Tee does.

    Arguments:

      - N: how many outputs there are; it may be left out, but must be right.
      - DATA_ONLY: Boolean. Accepted, of no effect. It says whether what lies in memory before and after the packet is copied, too.

    Ports: one push input, one or more push outputs.

    Example:

        FromDevice(eth0) -> d :: Duplicate;
        d[0] -> Queue -> ToDevice(eth1);
        d[1] -> Queue -> ToDevice(eth2);
    """

    args = (*Tee.args, Keyword("DATA_ONLY", Bool(), True))

    @classmethod
    def c_source(cls) -> Path | None:
        return Tee.c_source()
