from __future__ import annotations

from clickbpf.args import Integer, Optional
from clickbpf.vocabulary.element import Element


class MarkMACHeader(Element):
    """marks the MAC header for other elements

    Synopsis: `MarkMACHeader([OFFSET, LENGTH])`

    Sets the MAC header annotation, and if the header's length is given, also the network header annotation, to what follows
    it. Packets that end before that pass as they are.

    Arguments:

      - OFFSET: bytes in front of the MAC header. Default 0.
      - LENGTH: bytes of the MAC header. Default 0: the network header annotation stays as it is.

    Ports: one input, one output.

    Example:

        FromDevice(eth0) -> MarkMACHeader(0, 14) -> Discard;
    """

    bears_offloads = True
    reconfigurable = True
    args = (Optional("OFFSET", Integer(), 0), Optional("LENGTH", Integer(), 0))
    weight = 15
