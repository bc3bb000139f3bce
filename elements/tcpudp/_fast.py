"""The base of FastUDPSource, FastUDPSourceIP6, FastUDPFlows and FastTCPFlows: a packet template and a sending rate (fast.inc.h)."""

import struct
from collections.abc import Iterable

from clickbpf.declare import (
    ANEW, SAME, USER, ArgError, Bool, Constants, Element, EtherAddress, Held, IPAddress, Integer, Private, Required, read_handler, s64,
    sum_handler, u8, u32, u64, write_handler,
)

from ..common._bucket import BUCKET, FULL, assign, fill

TCP, UDP = 6, 17
RATE = Integer(32)
LIMIT = Integer(32, signed=True)
#: Bytes of an Ethernet header, and of the longest IP packet.
ETHERNET, LONGEST = 14, 65535
TTL = 250
#: The arguments before, between and after the ports, in order.
AMOUNT = (
    Required("RATE", RATE, "packets per second; 0 for as many as are pulled"),
    Required("LIMIT", LIMIT, "packets to make; no limit if negative"),
    Required("LENGTH", Integer(32, signed=True), "bytes of a frame, 60 at least"),
)
SOURCE = (Required("SRCETH", EtherAddress(), "the addresses that they come from and go to"), Required("SRCIP", IPAddress(), SAME))
DESTINATION = (Required("DSTETH", EtherAddress(), SAME), Required("DSTIP", IPAddress(), SAME))
FLOWS = (
    Required("FLOWS", Integer(32, low=1, high=1 << 20), "flows at a time"),
    Required("FLOWSIZE", Integer(32, low=1), "packets in a flow; of TCP, 3 at least"),
)


class FastSource(Element, ports="0/1", processing="l", runs=USER):
    """RATE, LIMIT, LENGTH, addresses, ACTIVE, and their handlers."""

    annotations = ("DST_IP",)
    #: `headers` is the template's Ethernet and IP header, with room for IPv6's; `sum` is the sum of its pseudo-header and transport
    #: header. `began` and `ended` are when the first and the LIMIT-th packet were sent, or 0.
    state_types = {
        "fast": Private(count=u64, limit=s64, began=u64, ended=u64, length=u32, sum=u32, active=u8, headers=u8 * 54),
        "bucket": BUCKET,
    }
    holds = (Held("how many packets it has made", ANEW, ANEW),)
    protocol = UDP
    #: The Ethernet type of the IP version, the length of the IP header, and the shortest frame, without FCS, that has room for all
    #: headers.
    ethertype, header, shortest = 0x0800, 20, 60

    def constants(self) -> Constants:
        chosen = {name: getattr(self.cfg, name, default) for name, default in (("checksum", True), ("stop", False))}
        facts = {"tcp": self.protocol == TCP, "ip6": self.header == 40, **chosen}
        return {name: ("bool", Bool().c_value(fact)) for name, fact in facts.items()}

    def warnings(self) -> Iterable[ArgError]:
        if self.cfg.length < self.shortest:
            yield ArgError(f"packet length < {self.shortest}, defaulting to {self.shortest}", argument="LENGTH")

    def initialise(self) -> None:
        self._set_length(self.cfg.length)
        self.state.fast.limit, self.state.fast.active = self.cfg.limit, self.cfg.active
        self._set_rate(self.cfg.rate)

    def _set_length(self, length: int) -> None:
        length = max(self.shortest, min(length, ETHERNET + LONGEST))
        cfg, fast = self.cfg, self.state.fast
        ethernet = bytes(cfg.dsteth) + bytes(cfg.srceth) + struct.pack(">H", self.ethertype)
        fast.headers = (u8 * 54)(*ethernet, *self.ip_header(length - ETHERNET))
        payload = length - ETHERNET - self.header
        # The UDP length is in the pseudo-header and in the UDP header.
        lengths = struct.pack(">HH", self.protocol, payload) + (struct.pack(">H", payload) if self.protocol == UDP else b"")
        fast.sum = _sum(self.addresses()) + _sum(lengths)
        fast.length = length

    def addresses(self) -> bytes:
        """Source and destination as in the IP header."""
        return self.cfg.srcip.packed + self.cfg.dstip.packed

    def ip_header(self, length: int) -> bytes:
        """The header of a packet of `length` bytes."""
        header = struct.pack(">BBHHHBBH", 0x45, 0, length, 0, 0, TTL, self.protocol, 0) + self.addresses()
        checksum = ~_sum(header) & 0xFFFF
        return header[:10] + struct.pack("<H", checksum) + header[12:]

    def _set_rate(self, rate: int) -> None:
        """Packets per second; 0 for as many as are pulled."""
        bucket = self.state.bucket
        assign(bucket, rate, 2)
        fill(bucket, FULL if rate else 0)

    count = sum_handler("fast", text="packets made")

    @read_handler("rate")
    def read_rate(self) -> str:
        """read: the rate from the first packet to the LIMIT-th, 0 before the latter; write: RATE."""
        fast = self.state.fast
        return str(fast.count * 1000 // max(1, (fast.ended - fast.began) // 10**6)) if fast.ended else "0"

    @write_handler("rate")
    def write_rate(self, text: str) -> None:
        self._set_rate(RATE.parse(text.strip()))
        self.notify()

    @write_handler
    def limit(self, text: str) -> None:
        """LIMIT."""
        self.state.fast.limit = LIMIT.parse(text.strip())
        self.notify()

    @write_handler
    def reset(self, text: str) -> None:
        """counts from 0."""
        fast = self.state.fast
        fast.count = fast.began = fast.ended = 0
        self.notify()

    @write_handler
    def active(self, text: str) -> None:
        """ACTIVE; writing true restarts the count."""
        self.state.fast.active = Bool().parse(text.strip())
        if self.state.fast.active:
            self.reset("")


def _sum(data: bytes) -> int:
    """The ones' complement sum of 16-bit words in little-endian order."""
    total = sum(struct.unpack(f"<{len(data) // 2}H", data))
    while total >> 16:
        total = (total >> 16) + (total & 0xFFFF)
    return total
