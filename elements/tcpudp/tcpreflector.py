from clickbpf.declare import Element


class TCPReflector(Element):
    """answers TCP segments as a server might

    Packets begin with an IP header that TCP follows; neither the protocol nor the destination is checked. A SYN is answered by a
    SYN-ACK with a random sequence number, a FIN by a FIN, and both FIN and data are acknowledged. Segments that need no answer are
    dropped, as are resets and packets too short for their headers. No state is kept, so it is fast. An answer has the length and
    the data of the segment, and a TTL of 250; the destination address annotation is set.

    Packets with IP options, or of more than 4095 bytes, are left to the runtime.

    Example:

        FromDevice(eth0) -> Strip(14) -> CheckIPHeader -> Classifier(9/06 16/01000001) -> TCPReflector
            -> EtherEncap(0x0800, 02:00:00:00:00:01, 02:00:00:00:00:02) -> Queue -> ToDevice(eth0);
    """

    annotations = ("DST_IP",)
    weight = 400
