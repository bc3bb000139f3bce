from ._tcp import TCPElement


class TCPLookup(TCPElement, ports="1/1-2"):
    """finds the connections of TCP segments

    The first step of a TCP (TCPConnections). Takes IPv4 and IPv6 packets with a marked IP header, checks TCP's lengths and
    checksum, and removes the headers, as StripTransportHeader does, so that only the data remains. The annotation AGGREGATE becomes
    the number of the connection, or 0 if there is none. Packets to or from multicast addresses, fragments, and IPv6 packets with
    extension headers aren't accepted.

    An ICMP message that a packet was too big for a link (RFC 1191, RFC 8201) makes the segments of its connection smaller, if it quotes
    unacknowledged data (RFC 5927, 4.1). So ICMP packets should come here, too.

    Ports: one push input; push output 0, and output 1 (may be missing) for packets that aren't good segments.
    """
