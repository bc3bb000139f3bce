from clickbpf.declare import Bool, Integer, IPPort, Optional, Required

from ._fast import AMOUNT, DESTINATION, SOURCE, UDP, FastSource


class FastUDPSource(FastSource):
    """generates UDP packets in Ethernet frames, for benchmarks

    Its packets have a TTL of 250 and zeros as their data. They are marked: the network and transport header and destination
    address annotations are set.

    Arguments:

      - SRCETH, SRCIP, SPORT: source Ethernet address, IP address and port.
      - DSTETH, DSTIP, DPORT: the destination's.

    Example: FastUDPSource(100000, 500000, 60, 2:2:2:2:2:2, 1.0.0.1, 1234, 3:3:3:3:3:3, 2.0.0.2, 1234) -> ToDevice(eth0);
    """

    args = (
        *AMOUNT,
        *SOURCE,
        Required("SPORT", IPPort(UDP)),
        *DESTINATION,
        Required("DPORT", IPPort(UDP)),
        Optional("CHECKSUM", Bool(), True, "false to send them without UDP checksum"),
        Optional("INTERVAL", Integer(32), 0, "the number of packets after which both ports go up by one; 0 for never"),
        Optional("ACTIVE", Bool(), True, "false to make none"),
    )
