from clickbpf.declare import Element


class PushAnno(Element):
    """puts a packet's 48 bytes of annotations in front of its data

    Example: a dump of what packets carry besides their bytes:

        FromDevice(eth0) -> Paint(7) -> PushAnno -> ToDump(annotated.pcap) -> Discard;
    """
