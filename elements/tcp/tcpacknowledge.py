from ._tcp import TCPElement


class TCPAcknowledge(TCPElement, ports="1/1-2"):
    """processes acknowledgements of TCP connections

    The sixth step of a TCP (TCPConnections): releases acknowledged data, updates the window, and may establish or end the
    connection. An acknowledgement of data that can't have been sent recently is answered, but not accepted (RFC 5961, 5).

    Click's TCPAck is a different element, which makes acknowledgements.
    """
