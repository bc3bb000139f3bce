from clickbpf.declare import ANNOTATIONS, Bool, Element, Integer, Keyword, Optional


class TruncateIPPayload(Element):
    """shortens the payload of IP packets

    A packet keeps its headers and LENGTH bytes after them; lengths in the headers stay as they are. A packet without a marked IP
    header keeps its first LENGTH bytes. The number of bytes removed is added to the packet's EXTRA_LENGTH annotation. The kernel
    path hands over a packet that would become shorter than an Ethernet header, 14 bytes.

    Example: a trace without payloads:

        FromDevice(eth0) -> MarkIPHeader(14) -> TruncateIPPayload -> ToDump(headers.pcap);
    """

    args = (
        Optional("LENGTH", Integer(16), 0, "bytes to keep, at most 65535"),
        Optional("TRANSPORT", Bool(), True, "whether headers are those of IP and of TCP, UDP or ICMP, or of IP only"),
        Keyword("EXTRA_LENGTH", Bool(), True, "false to leave the annotation alone"),
    )
    weight = 90

    def annotations_written(self) -> tuple[tuple[int, int], ...]:
        return (ANNOTATIONS["EXTRA_LENGTH"],) if self.cfg.extra_length else ()
