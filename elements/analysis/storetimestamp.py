from __future__ import annotations

from clickbpf.args import ArgError, Bool, Integer, Keyword, Optional
from clickbpf.vocabulary.element import USER, Element

#: The last offset that packets of the kernel path may have.
FARTHEST = 4096


class StoreTimestamp(Element):
    """writes packets' timestamps into their data

    Synopsis: `StoreTimestamp(OFFSET)` or `StoreTimestamp(TAIL true)`

    The timestamp is written in eight bytes: nanoseconds since 1970 as a signed number in this machine's byte order.

    Arguments:

      - OFFSET: Integer. Write them at this byte of the packet, which grows if it has to.
      - TAIL: Boolean. Append them. One of the two must be given.

    Ports: one input, one output.

    Example:

        FromDevice(eth0) -> StoreTimestamp(TAIL true) -> ToDump(stamped.pcap) -> Discard;
    """

    annotations = ("TIMESTAMP",)
    args = (Optional("OFFSET", Integer(31)), Keyword("TAIL", Bool(), False))

    def configure(self) -> None:
        if (self.cfg.offset is None) != self.cfg.tail:
            raise ArgError("supply exactly one of 'OFFSET' and 'TAIL'")
        if self.cfg.tail or self.cfg.offset > FARTHEST:
            self.runs = USER

    def constants(self):
        return {"offset": ("__u32", str(self.cfg.offset or 0))}
