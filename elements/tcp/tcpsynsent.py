from ._tcp import TCPElement


class TCPSynSent(TCPElement, ports="1/1-2"):
    """processes replies to the SYN of a TCP connection

    The third step of a TCP (TCPConnections): state SYN-SENT. Segments of connections in other states pass. A SYN without an
    acknowledgement means that both sides open at once.
    """
