"""The arguments for a number's location and byte order, for NumberPacket and the elements that read its numbers."""

from clickbpf.declare import USER, Bool, Element, Integer, Keyword

#: The default offset of numbers: after an IP and a TCP header.
USUAL_OFFSET = 40
NUMBER_SIZE = 8
#: The kernel path reads numbers that end within this many bytes.
DEEPEST_IN_KERNEL = 4096

OFFSET = Integer(high=(1 << 31) - 1)
NET_ORDER = Keyword("NET_ORDER", Bool(), False, "true if it is in network byte order, false if in this machine's")

#: For manual pages.
ARGUMENTS = """- OFFSET: where the number is, in bytes from the start of the packet. Default 40.
      - NET_ORDER: true if it is in network byte order, false if in this machine's. Default false."""


class Numbered(Element):
    """Base of classes with arguments OFFSET and NET_ORDER; in C, number.h. Numbers deep in packets are left to the runtime."""

    def configure(self) -> None:
        if self.cfg.offset + NUMBER_SIZE > DEEPEST_IN_KERNEL:
            self.runs = USER
