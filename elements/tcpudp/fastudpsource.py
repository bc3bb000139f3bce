from __future__ import annotations

from clickbpf.args import Bool, Integer, IPPort, Optional, Required

from ._fast import AMOUNT, DESTINATION, SOURCE, UDP, FastSource


class FastUDPSource(FastSource):
    """generates UDP packets in Ethernet frames, for benchmarks

    Synopsis: `FastUDPSource(RATE, LIMIT, LENGTH, SRCETH, SRCIP, SPORT, DSTETH, DSTIP, DPORT, [CHECKSUM, INTERVAL, ACTIVE])`

    Its packets have a TTL of 250 and zeros as their data. They are marked: the network and transport header and destination
    address annotations are set.

    Arguments:

      - RATE: packets per second; 0 for as many as are pulled.
      - LIMIT: packets to make; for ever if negative.
      - LENGTH: bytes of a frame, 60 at least.
      - SRCETH, SRCIP, SPORT: Ethernet address, IP address and port that they come from.
      - DSTETH, DSTIP, DPORT: those that they go to.
      - CHECKSUM: false to send them without UDP checksum. Default true.
      - INTERVAL: the number of packets after which both ports go up by one; 0 for never. Default 0.
      - ACTIVE: false to make none. Default true.

    Ports: one pull output.

    Handlers:

      - `count` (read): packets made.
      - `rate`: (read) packets per second between the first packet and number LIMIT, 0 before; (write) RATE.
      - `limit` (write): LIMIT.
      - `active` (write): ACTIVE; true counts from 0.
      - `reset` (write): counts from 0.

    Example:

        FastUDPSource(100000, 500000, 60, 2:2:2:2:2:2, 1.0.0.1, 1234, 3:3:3:3:3:3, 2.0.0.2, 1234) -> ToDevice(eth0);
    """

    args = (
        *AMOUNT,
        *SOURCE,
        Required("SPORT", IPPort(UDP)),
        *DESTINATION,
        Required("DPORT", IPPort(UDP)),
        Optional("CHECKSUM", Bool(), True),
        Optional("INTERVAL", Integer(32), 0),
        Optional("ACTIVE", Bool(), True),
    )
