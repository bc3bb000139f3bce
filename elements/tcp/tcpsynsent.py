from ._tcp import TCPElement


class TCPSynSent(TCPElement, ports="1/1-2"):
    """processes replies to the SYN of a TCP connection

    The third step of a TCP (TCPConnections): state SYN-SENT. Segments of connections in other states pass. A SYN without an
    acknowledgement means that both sides open at once.

    Ports: one push input; push output 0, and output 1 (may be missing) for segments that end here.
    """
