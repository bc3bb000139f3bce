from __future__ import annotations

from pathlib import Path

from clickbpf.args import Bool, Keyword, Optional, Raw

from .null import Null


class EnsureDPDKBuffer(Null):
    """accepts the arguments by which FastClick copies packets into buffers of DPDK

    Synopsis: `EnsureDPDKBuffer([FORCE_COPY, EXTRA_HEADROOM, FAIL ...])`

    In FastClick, packets leave it in memory from which a device can send them. Here a device can send all packets, and they pass as
    they are, at no cost. EnsureNetmapBuffer is another name of the class.

    Arguments:

      - FORCE_COPY, EXTRA_HEADROOM: Accepted, of no effect.
      - FAIL: Boolean, also of no effect: in FastClick packets that lie elsewhere are dropped.

    Ports: one input, one output.

    Example:

        FromDPDKDevice(0) -> EnsureDPDKBuffer -> ToDPDKDevice(1);
    """

    aliases = ("EnsureNetmapBuffer",)
    args = (Optional("FORCE_COPY", Bool(), False), Optional("EXTRA_HEADROOM", Raw()), Keyword("FAIL", Bool(), False))

    @classmethod
    def c_source(cls) -> Path | None:
        return Null.c_source()
