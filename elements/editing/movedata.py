from __future__ import annotations

from clickbpf.args import ArgError, Bool, Integer, Keyword, Required
from clickbpf.vocabulary.element import USER, Element

#: What the longest packets have.
MOST = 65535


class MoveData(Element):
    """copies bytes of packets to another place in the same packet

    Synopsis: `MoveData(DST_OFFSET, SRC_OFFSET, LENGTH [, GROW ...])`

    A class of FastClick. LENGTH bytes at SRC_OFFSET are copied to DST_OFFSET. Both count from the packet's start, and the bytes may
    overlap. A packet that ends with the last of the bytes at SRC_OFFSET, or before, passes unchanged.

    Arguments:

      - DST_OFFSET, SRC_OFFSET, LENGTH: Integers, up to 65535.
      - GROW: Boolean. If true, a packet that ends before the last byte at DST_OFFSET gets longer; bytes before the copy that are new are
        zero. If false, it passes unchanged. Default is true.

    Ports: one input, one output.

    Example: the source address of an Ethernet header becomes its destination, too:

        FromDevice(eth0) -> MoveData(0, 6, 6) -> Queue -> ToDevice(eth1);
    """

    runs = USER
    args = (
        Required("DST_OFFSET", Integer(32, high=MOST)),
        Required("SRC_OFFSET", Integer(32, high=MOST)),
        Required("LENGTH", Integer(32, high=MOST)),
        Keyword("GROW", Bool(), True),
    )

    def configure(self) -> None:
        if self.cfg.dst_offset + self.cfg.length > MOST:
            raise ArgError(f"no packet has {self.cfg.dst_offset + self.cfg.length} bytes", f"at most {MOST}", argument="LENGTH")
