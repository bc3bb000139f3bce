from ._tcp import TCPElement


class TCPLookup(TCPElement, ports="1/1-2"):
    """finds the connections of TCP segments

    The first step of a TCP (TCPConnections). Takes IPv4 and IPv6 packets whose IP header is marked, checks that TCP follows it and that
    TCP's lengths and checksum are right, and removes the headers, as StripTransportHeader does: what is left are the data. The
    annotation AGGREGATE becomes the number of the connection, 0 if there is none. Packets to or from groups, fragments, and IPv6
    packets with extension headers are no segments for it.

    ICMP's messages that a packet was too big for a link on its way (RFC 1191, RFC 8201) make the segments of its connection smaller, if
    they quote something that is under way (RFC 5927, 4.1). So ICMP packets should come here, too.

    Ports: one push input; push output 0, and output 1, which may be missing, for packets that are no good segments.
    """
