from __future__ import annotations

from clickbpf.args import EtherAddress, IPAddress, Required
from clickbpf.vocabulary.element import PUSH, USER, Element


class ARPFaker(Element):
    """announces an Ethernet address to a host, again and again

    Synopsis: `ARPFaker(DSTIP, DSTETH, SRCIP, SRCETH)`

    One second after the start, and then every 10 seconds, it makes an ARP reply for the host DSTIP, DSTETH: that SRCIP has the
    Ethernet address SRCETH. Ordinary answers to queries are ARPResponder's.

    Arguments:

      - DSTIP, DSTETH: the addresses of the host that the packets are for.
      - SRCIP, SRCETH: the addresses that the packets announce.

    Ports: one push output, for Ethernet frames.

    Example:

        ARPFaker(10.0.0.2, 02:00:00:00:00:02, 10.0.0.9, 02:00:00:00:00:09) -> Queue -> ToDevice(eth0);
    """

    ports = "0/1"
    processing = PUSH
    runs = USER
    entries = ("init", "timer")
    args = (
        Required("DSTIP", IPAddress()),
        Required("DSTETH", EtherAddress()),
        Required("SRCIP", IPAddress()),
        Required("SRCETH", EtherAddress()),
    )
