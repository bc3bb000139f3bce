from clickbpf.declare import ANNOTATIONS, Element


class ReadAnno(Element):
    """makes a packet's first 48 bytes its annotations

    The reverse of PushAnno, but the bytes stay: remove them with Strip(48). (Click's element keeps them as well, although its
    manual page says otherwise.) A packet with fewer bytes is dropped.

    Example: FromDump(annotated.pcap, STOP true) -> ReadAnno -> Strip(48) -> CheckPaint(7) -> Discard;
    """

    annotations = tuple(ANNOTATIONS)
