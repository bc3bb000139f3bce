from __future__ import annotations

from clickbpf.vocabulary.element import USER, Element


class EraseIPPayload(Element):
    """overwrites the payload of TCP and UDP packets by zeros

    Synopsis: `EraseIPPayload`

    Packets keep their length; their TCP or UDP checksum becomes 0. ICMP packets pass as they are, those of other protocols
    are dropped.

    Ports: one input, one output.

    Example:

        FromDump(trace.pcap, FORCE_IP true) -> EraseIPPayload -> ToDump(headers.pcap);
    """

    runs = USER
