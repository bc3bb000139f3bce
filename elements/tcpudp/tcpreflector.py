from clickbpf.declare import Element


class TCPReflector(Element):
    """answers TCP segments as a server might

    Packets begin with an IP header that TCP follows; neither the protocol nor the destination is checked. A SYN is answered by a
    SYN with a random sequence number, data and FIN are acknowledged, FIN with FIN. What needs no answer is dropped, as are resets
    and packets too short for their headers. Nothing is remembered, so it is fast. An answer has the length and the data of the
    segment, a TTL of 250, and its destination as destination address annotation.

    Packets with IP options, or of more than 4095 bytes, are left to the runtime.

    Example:

        FromDevice(eth0) -> Strip(14) -> CheckIPHeader -> Classifier(9/06 16/01000001) -> TCPReflector
            -> EtherEncap(0x0800, 02:00:00:00:00:01, 02:00:00:00:00:02) -> Queue -> ToDevice(eth0);
    """

    annotations = ("DST_IP",)
    weight = 400
