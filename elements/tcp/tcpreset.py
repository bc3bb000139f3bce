from ._tcp import TCPElement


class TCPReset(TCPElement, ports="1/1-2"):
    """ends TCP connections by reset

    The fifth step of a TCP (TCPConnections). A reset with the very sequence number that is expected ends the connection. Other
    resets in the window, and SYNs, may be forged by someone who guesses: they are answered by an acknowledgement, after which a true
    sender sends the right one (RFC 5961), at most twice a second for each connection.

    Ports: one push input; push output 0, and output 1, which may be missing, for segments that end here.
    """
