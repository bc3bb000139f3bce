from clickbpf.declare import MARKED

from ._rfc2507 import HeaderContexts


class RFC2507Comp(HeaderContexts):
    """compresses TCP/IP headers for a slow link

    Of IP packets with TCP the headers are left out, but for what has changed since the connection's packet before (RFC 2507, in
    Click's form): 40 bytes become 5 to 20. RFC2507Decomp, at the other end of the link, makes the packets of it. The first packet
    of each of 14 connections is sent whole, as are packets whose headers have changed otherwise, which a retransmission has.
    If a packet gets lost on the link, those after it have wrong headers until then, which the TCP checksum shows their receiver.
    So the link should lose few packets, and mustn't put them into another order. A connection that finds no context free takes the
    one that was given away first.

    Packets must have a marked IP header at their start. Packets other than TCP with ACK and without SYN, FIN, RST and URG
    get one byte in front, as do fragments and packets with IP options. Headers are those of no IP packet afterwards.

    Example: the two ends of a link:

        FromDevice(eth0) -> Strip(14) -> CheckIPHeader -> RFC2507Comp
            -> EtherEncap(0x88B5, 02:00:00:00:00:01, 02:00:00:00:00:02) -> Queue -> ToDevice(eth1);
        FromDevice(eth1) -> Classifier(12/88B5) -> Strip(14) -> RFC2507Decomp -> CheckIPHeader -> Discard;
    """

    takes = (MARKED,)
