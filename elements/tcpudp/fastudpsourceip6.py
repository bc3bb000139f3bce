import struct

from clickbpf.declare import SAME, Bool, EtherAddress, Integer, IP6Address, IPPort, Optional, Required

from ._fast import AMOUNT, TTL, UDP, FastSource


class FastUDPSourceIP6(FastSource):
    """generates UDP packets for IPv6 in Ethernet frames, for benchmarks

    Its packets have a hop limit of 250 and zeros as their data. They are marked: the network and transport header and destination
    address annotations are set. Their checksums are correct, unlike those of Click's element.

    Arguments:

      - LENGTH: bytes of a frame, 62 at least.

    Example:

        FastUDPSourceIP6(100000, 500000, 62, 2:2:2:2:2:2, 2001:db8::1, 1234, 3:3:3:3:3:3, 2001:db8:1::2, 1234) -> ToDevice(eth0);
    """

    args = (
        *AMOUNT,
        Required("SRCETH", EtherAddress(), "source Ethernet address, IPv6 address and port"),
        Required("SRCIP6", IP6Address(), SAME),
        Required("SPORT", IPPort(UDP), SAME),
        Required("DSTETH", EtherAddress(), "the destination's"),
        Required("DSTIP6", IP6Address(), SAME),
        Required("DPORT", IPPort(UDP), SAME),
        Optional("CHECKSUM", Bool(), True, "false to send them without UDP checksum, which IPv6 permits for tunnels only"),
        Optional("INTERVAL", Integer(32), 0, "the number of packets after which both ports go up by one; 0 for never"),
        Optional("ACTIVE", Bool(), True, "false to make none"),
    )
    annotations = ("DST_IP6",)
    ethertype, header, shortest = 0x86DD, 40, 62

    def addresses(self) -> bytes:
        return self.cfg.srcip6.packed + self.cfg.dstip6.packed

    def ip_header(self, length: int) -> bytes:
        return struct.pack(">IHBB", 6 << 28, length - self.header, self.protocol, TTL) + self.addresses()
