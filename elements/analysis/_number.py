"""What NumberPacket and those that read its numbers have in common: where a number is, and how it is written."""

from clickbpf.declare import USER, Bool, Element, Integer, Keyword

#: Where the numbers are if nothing else is said: after an IP and a TCP header.
USUAL_OFFSET = 40
NUMBER_SIZE = 8
#: How far into a packet the kernel path looks.
DEEPEST_IN_KERNEL = 4096

OFFSET = Integer(high=(1 << 31) - 1)
NET_ORDER = Keyword("NET_ORDER", Bool(), False, "true if it is in network byte order, false if in this machine's")

#: Of the manual pages.
ARGUMENTS = """- OFFSET: where the number is, in bytes from the start of the packet. Default 40.
      - NET_ORDER: true if it is in network byte order, false if in this machine's. Default false."""


class Numbered(Element):
    """Base of classes with arguments OFFSET and NET_ORDER; in C, number.h. What lies deep in packets is the runtime's."""

    def configure(self) -> None:
        if self.cfg.offset + NUMBER_SIZE > DEEPEST_IN_KERNEL:
            self.runs = USER
