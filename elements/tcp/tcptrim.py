from ._tcp import TCPElement


class TCPTrim(TCPElement, ports="1/1-2"):
    """removes what a TCP connection has received already, or has no room for

    The fourth step of a TCP (TCPConnections). A segment without a sequence number in the window is acknowledged, and its way ends. Of the
    others the part in the window remains.

    Ports: one push input; push output 0, and output 1, which may be missing, for segments that end here.
    """
