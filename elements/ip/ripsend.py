import struct

from clickbpf.declare import PUSH, USER, Element, Integer, IPAddress, IPPrefix, Required

from ._packet import ip_packet

UDP, PORT, TTL = 17, 520, 200
#: Command and version of a RIP message, and the address family of its entries (RFC 2453, 4).
RESPONSE, VERSION, INET = 2, 2, 2


class RIPSend(Element, ports="0/1", processing=PUSH, runs=USER):
    """sends a RIP message again and again

    Every 30 seconds, first after 3 seconds, pushes a RIP response of version 2 (RFC 2453) with one route, in UDP and IP headers. It
    doesn't receive RIP.

    Example: announces to 18.26.4.0/24 that 18.26.4.24 has a route to 10.0.0.0/8 with a metric of 10:

        RIPSend(18.26.4.24, 18.26.4.255, 10.0.0.0/8, 10)
            -> EtherEncap(0x0800, 2:2:2:2:2:2, ff:ff:ff:ff:ff:ff) -> Queue -> ToDevice(eth0);
    """

    args = (
        Required("SRC", IPAddress(), "the packets' source address, which is also the route's next hop"),
        Required("DST", IPAddress(), "where they go"),
        Required("PREFIX", IPPrefix(bare=False), "the route's destination, ADDR/MASK"),
        Required("METRIC", Integer(32), "how many hops it is away"),
    )

    def code(self) -> str:
        cfg = self.cfg
        route = struct.pack("!HH", INET, 0) + cfg.prefix.address.packed + cfg.prefix.mask.packed + cfg.src.packed
        message = struct.pack("!BBH", RESPONSE, VERSION, 0) + route + struct.pack("!I", cfg.metric)
        datagram = struct.pack("!HHHH", PORT, PORT, 8 + len(message), 0) + message
        packet = ip_packet(cfg.src, cfg.dst, UDP, datagram, TTL)
        return f"static const __u8 SELF(packet)[] = {{ {', '.join(map(str, packet))} }};\n"
