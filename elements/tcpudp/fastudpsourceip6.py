from __future__ import annotations

import struct

from clickbpf.args import Bool, EtherAddress, Integer, IP6Address, IPPort, Optional, Required

from ._fast import AMOUNT, TTL, UDP, FastSource


class FastUDPSourceIP6(FastSource):
    """generates UDP packets for IPv6 in Ethernet frames, for benchmarks

    Synopsis: `FastUDPSourceIP6(RATE, LIMIT, LENGTH, SRCETH, SRCIP6, SPORT, DSTETH, DSTIP6, DPORT, [CHECKSUM, INTERVAL, ACTIVE])`

    Its packets have a hop limit of 250 and zeros as their data. They are marked: the network and transport header and destination
    address annotations are set. Their checksums are right, which those of Click's element aren't.

    Arguments:

      - RATE: packets per second; 0 for as many as are pulled.
      - LIMIT: packets to make; for ever if negative.
      - LENGTH: bytes of a frame, 62 at least.
      - SRCETH, SRCIP6, SPORT: Ethernet address, IPv6 address and port that they come from.
      - DSTETH, DSTIP6, DPORT: those that they go to.
      - CHECKSUM: false to send them without UDP checksum, which IPv6 has for tunnels only. Default true.
      - INTERVAL: the number of packets after which both ports go up by one; 0 for never. Default 0.
      - ACTIVE: false to make none. Default true.

    Ports: one pull output.

    Handlers: `count`, `rate`, `limit`, `active` and `reset`, as FastUDPSource's.

    Example:

        FastUDPSourceIP6(100000, 500000, 62, 2:2:2:2:2:2, 2001:db8::1, 1234, 3:3:3:3:3:3, 2001:db8:1::2, 1234) -> ToDevice(eth0);
    """

    args = (
        *AMOUNT,
        Required("SRCETH", EtherAddress()),
        Required("SRCIP6", IP6Address()),
        Required("SPORT", IPPort(UDP)),
        Required("DSTETH", EtherAddress()),
        Required("DSTIP6", IP6Address()),
        Required("DPORT", IPPort(UDP)),
        Optional("CHECKSUM", Bool(), True),
        Optional("INTERVAL", Integer(32), 0),
        Optional("ACTIVE", Bool(), True),
    )
    annotations = ("DST_IP6",)
    ethertype, header, shortest = 0x86DD, 40, 62

    def addresses(self) -> bytes:
        return self.cfg.srcip6.packed + self.cfg.dstip6.packed

    def ip_header(self, length: int) -> bytes:
        return struct.pack(">IHBB", 6 << 28, length - self.header, self.protocol, TTL) + self.addresses()
