from __future__ import annotations

import struct

from clickbpf.args import Integer, IPAddress, IPPrefix, Required
from clickbpf.vocabulary.element import PUSH, USER, Element

from ._packet import ip_packet

UDP, PORT, TTL = 17, 520, 200
#: Command and version of a RIP message, and the address family of its entries (RFC 2453, 4).
RESPONSE, VERSION, INET = 2, 2, 2


class RIPSend(Element):
    """sends a RIP message again and again

    Synopsis: `RIPSend(SRC, DST, PREFIX, METRIC)`

    Every 30 seconds, for the first time after 3, pushes a RIP response of version 2 (RFC 2453) with one route, in UDP and
    IP headers. It only sends RIP, and doesn't receive any.

    Arguments:

      - SRC: the packets' source address, which is also the route's next hop.
      - DST: where they go.
      - PREFIX: the route's destination, ADDR/MASK.
      - METRIC: how many hops it is away.

    Ports: one push output.

    Example: announces to 18.26.4.0/24 that 18.26.4.24 has a route to 10.0.0.0/8, ten hops long:

        RIPSend(18.26.4.24, 18.26.4.255, 10.0.0.0/8, 10)
            -> EtherEncap(0x0800, 2:2:2:2:2:2, ff:ff:ff:ff:ff:ff) -> Queue -> ToDevice(eth0);
    """

    ports = "0/1"
    processing = PUSH
    runs = USER
    entries = ("timer", "init")
    args = (
        Required("SRC", IPAddress()),
        Required("DST", IPAddress()),
        Required("PREFIX", IPPrefix(bare=False)),
        Required("METRIC", Integer(32)),
    )

    def code(self) -> str:
        cfg = self.cfg
        route = struct.pack("!HH", INET, 0) + cfg.prefix.address.packed + cfg.prefix.mask.packed + cfg.src.packed
        message = struct.pack("!BBH", RESPONSE, VERSION, 0) + route + struct.pack("!I", cfg.metric)
        datagram = struct.pack("!HHHH", PORT, PORT, 8 + len(message), 0) + message
        packet = ip_packet(cfg.src, cfg.dst, UDP, datagram, TTL)
        return f"static const __u8 SELF(packet)[] = {{ {', '.join(map(str, packet))} }};\n"
