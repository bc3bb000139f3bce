"""The base of CopyFlowID and CopyTCPSeq: values read from packets on one path are written into packets on another."""

from clickbpf.declare import Element, Raw, Rest


class CopyingElement(Element, ports="2/2"):
    """Base of both; C files end with tcpudp/copying.inc.h."""

    #: Any arguments are accepted, without effect.
    args = (Rest("IGNORED", Raw()),)
