from clickbpf.declare import ANNOTATIONS, Element


class ReadAnno(Element):
    """makes a packet's first 48 bytes its annotations

    As PushAnno has put them there. The bytes stay, as with Click's element, whose manual page says otherwise: Strip(48) takes them away. A
    packet that has fewer is dropped.

    Example:

        FromDump(annotated.pcap, STOP true) -> ReadAnno -> Strip(48) -> CheckPaint(7) -> Discard;
    """

    annotations = tuple(ANNOTATIONS)
