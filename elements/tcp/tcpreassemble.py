from ._tcp import TCPElement


class TCPReassemble(TCPElement, ports="1/1-2"):
    """puts the data of TCP connections in order

    The seventh step of a TCP (TCPConnections). Data that is next in the stream leaves by output 0, followed by data from beyond a
    gap that it fills. Other data is kept: at most BUFFER bytes of a connection, in at most 16 pieces. Segments without data end
    here, unless they carry the next FIN.
    """
