from __future__ import annotations

from clickbpf.args import Bool, Integer, Keyword, Optional
from clickbpf.vocabulary.annotations import ANNOTATIONS
from clickbpf.vocabulary.element import Element


class TruncateIPPayload(Element):
    """shortens what follows the headers of IP packets

    Synopsis: `TruncateIPPayload([LENGTH, TRANSPORT, EXTRA_LENGTH ...])`

    A packet keeps its headers and LENGTH bytes after them; lengths in the headers stay as they are. A packet without a
    marked IP header keeps its first LENGTH bytes. How many bytes a packet loses is added to its EXTRA_LENGTH annotation.
    The kernel path hands over a packet that would become shorter than an Ethernet header, 14 bytes.

    Arguments:

      - LENGTH: bytes to keep, at most 65535. Default 0.
      - TRANSPORT: whether headers are those of IP and of TCP, UDP or ICMP, or of IP only. Default true.
      - EXTRA_LENGTH: false to leave the annotation alone. Default true.

    Ports: one input, one output.

    Example: a trace without what people said:

        FromDevice(eth0) -> MarkIPHeader(14) -> TruncateIPPayload -> ToDump(headers.pcap);
    """

    args = (
        Optional("LENGTH", Integer(16), 0),
        Optional("TRANSPORT", Bool(), True),
        Keyword("EXTRA_LENGTH", Bool(), True),
    )
    weight = 90

    def annotations_written(self) -> tuple[tuple[int, int], ...]:
        return (ANNOTATIONS["EXTRA_LENGTH"],) if self.cfg.extra_length else ()
