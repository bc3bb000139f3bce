"""What CopyFlowID and CopyTCPSeq have in common: packets of one way are looked at, packets of another way changed."""

from clickbpf.declare import Element, Raw, Rest


class CopyingElement(Element, ports="2/2"):
    """Base of both; C files end with tcpudp/copying.inc.h."""

    #: Any arguments are accepted and mean nothing.
    args = (Rest("IGNORED", Raw()),)
