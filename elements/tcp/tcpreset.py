from ._tcp import TCPElement


class TCPReset(TCPElement, ports="1/1-2"):
    """ends TCP connections by reset

    The fifth step of a TCP (TCPConnections). A reset with exactly the expected sequence number ends the connection. Other resets in
    the window, and SYNs, may be forged: they are answered by a challenge acknowledgement, after which a genuine peer sends the
    right reset (RFC 5961), at most twice a second for each connection.
    """
