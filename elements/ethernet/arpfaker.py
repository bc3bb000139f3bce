from clickbpf.declare import PUSH, SAME, USER, Element, EtherAddress, IPAddress, Required


class ARPFaker(Element, ports="0/1", processing=PUSH, runs=USER):
    """announces an Ethernet address to a host, again and again

    One second after the start, and then every 10 seconds, it sends an ARP reply to the host DSTIP, DSTETH, with SRCETH as the
    Ethernet address of SRCIP. To answer requests, use ARPResponder.

    Example: ARPFaker(10.0.0.2, 02:00:00:00:00:02, 10.0.0.9, 02:00:00:00:00:09) -> Queue -> ToDevice(eth0);
    """

    args = (
        Required("DSTIP", IPAddress(), "the addresses of the host that the packets are for"),
        Required("DSTETH", EtherAddress(), SAME),
        Required("SRCIP", IPAddress(), "the addresses that the packets announce"),
        Required("SRCETH", EtherAddress(), SAME),
    )
