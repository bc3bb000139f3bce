from ._tcp import TCPElement


class TCPTrim(TCPElement, ports="1/1-2"):
    """removes data that a TCP connection has already received, or has no room for

    The fourth step of a TCP (TCPConnections). A segment entirely outside the window is acknowledged, and ends here. Other segments
    are trimmed to the window.
    """
