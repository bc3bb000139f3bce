from __future__ import annotations

from clickbpf.args import Bool, Integer, Keyword, Optional
from clickbpf.vocabulary.element import Element


class Pad(Element):
    """makes packets longer

    Synopsis: `Pad([LENGTH, ZERO ...])`

    A packet shorter than LENGTH gets bytes at its end. Without LENGTH, or if that is 0, it gets as many as its
    EXTRA_LENGTH annotation says, which Truncate sets. Either way the annotation is 0 afterwards. The kernel path hands
    over packets that have to grow; long enough ones pass.

    Arguments:

      - LENGTH: bytes that packets have at least.
      - ZERO: false to leave the new bytes as they are in memory: faster, but they may be another packet's. Default true.

    Ports: one input, one output.

    Example: frames of the least length that Ethernet allows:

        FromDevice(eth0) -> Pad(60) -> Queue -> ToDevice(eth1);
    """

    reconfigurable = True
    args = (Optional("LENGTH", Integer(), 0), Keyword("ZERO", Bool(), True))
    annotations = ("EXTRA_LENGTH",)
    weight = 20
