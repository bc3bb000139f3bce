from clickbpf.declare import USER, Element


class EraseIPPayload(Element, runs=USER):
    """overwrites the payload of TCP and UDP packets by zeros

    Packets keep their length; their TCP or UDP checksum becomes 0. ICMP packets pass unchanged, packets of other protocols are
    dropped.

    Example: FromDump(trace.pcap, FORCE_IP true) -> EraseIPPayload -> ToDump(headers.pcap);
    """
