from clickbpf.declare import MARKED

from ._rfc2507 import HeaderContexts


class RFC2507Comp(HeaderContexts):
    """compresses TCP/IP headers for a slow link

    TCP/IP headers are reduced to their changes since the connection's previous packet (RFC 2507, in Click's format): 40 bytes
    become 5 to 20. RFC2507Decomp, at the other end of the link, restores the headers. The first packet of each of 14 connections is
    sent whole, as are packets with other changes, such as retransmissions. After a packet is lost on the link, packets have wrong
    headers until the next whole one; receivers notice by the TCP checksum. So the link should lose few packets, and must not
    reorder them. When no context is free, a new connection takes the one that was assigned first.

    Packets must have a marked IP header at their start. Packets other than TCP with ACK and without SYN, FIN, RST and URG
    get one byte in front, as do fragments and packets with IP options. The output is no longer IP.

    Example: the two ends of a link:

        FromDevice(eth0) -> Strip(14) -> CheckIPHeader -> RFC2507Comp
            -> EtherEncap(0x88B5, 02:00:00:00:00:01, 02:00:00:00:00:02) -> Queue -> ToDevice(eth1);
        FromDevice(eth1) -> Classifier(12/88B5) -> Strip(14) -> RFC2507Decomp -> CheckIPHeader -> Discard;
    """

    takes = (MARKED,)
