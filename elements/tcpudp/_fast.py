"""What FastUDPSource, FastUDPFlows and FastTCPFlows have in common: a template for packets, and when they are sent (fast.inc.h)."""

from __future__ import annotations

import struct
from collections.abc import Iterable, Mapping
from ipaddress import IPv4Address

from clickbpf.args import ArgError, Bool, EtherAddress, Integer, IPAddress, Required
from clickbpf.vocabulary.element import USER, Element, read_handler, sum_handler, write_handler
from clickbpf.vocabulary.state import Private, s64, u8, u32, u64

from ..common._bucket import BUCKET, FULL, assign, fill

TCP, UDP = 6, 17
RATE = Integer(32)
LIMIT = Integer(32, signed=True)
#: Ethernet's shortest frame without its check sequence, and the longest that IP knows.
SHORTEST, LONGEST = 60, 14 + 65535
TTL = 250
#: Arguments in the order in which they stand before and after the ports.
AMOUNT = (Required("RATE", RATE), Required("LIMIT", LIMIT), Required("LENGTH", Integer(32, signed=True)))
SOURCE = (Required("SRCETH", EtherAddress()), Required("SRCIP", IPAddress()))
DESTINATION = (Required("DSTETH", EtherAddress()), Required("DSTIP", IPAddress()))
FLOWS = (Required("FLOWS", Integer(32, low=1, high=1 << 20)), Required("FLOWSIZE", Integer(32, low=1)))


class FastSource(Element):
    """RATE, LIMIT, LENGTH, addresses, ACTIVE, and their handlers."""

    ports = "0/1"
    processing = "l"
    runs = USER
    entries = ("pull", "task", "timer", "init", "control")
    annotations = ("DST_IP",)
    #: `headers` is the template's Ethernet and IP header, `sum` that of its pseudo-header and transport header. `began` and `ended`
    #: are when the first packet and number LIMIT were sent, 0 if they weren't.
    state_types = {
        "fast": Private(count=u64, limit=s64, began=u64, ended=u64, length=u32, sum=u32, active=u8, headers=u8 * 34),
        "bucket": BUCKET,
    }
    protocol = UDP

    def constants(self) -> Mapping[str, tuple[str, str]]:
        facts = {"tcp": self.protocol == TCP, "checksum": getattr(self.cfg, "checksum", True), "stop": getattr(self.cfg, "stop", False)}
        return {name: ("bool", Bool().c_value(fact)) for name, fact in facts.items()}

    def warnings(self) -> Iterable[ArgError]:
        if self.cfg.length < SHORTEST:
            yield ArgError(f"packet length < {SHORTEST}, defaulting to {SHORTEST}", argument="LENGTH")

    def initialise(self) -> None:
        self._set_length(self.cfg.length)
        self.state.fast.limit, self.state.fast.active = self.cfg.limit, self.cfg.active
        self._set_rate(self.cfg.rate)

    def _set_length(self, length: int) -> None:
        length = max(SHORTEST, min(length, LONGEST))
        cfg, fast = self.cfg, self.state.fast
        ethernet = bytes(cfg.dsteth) + bytes(cfg.srceth) + b"\x08\x00"
        fast.headers = (u8 * 34)(*ethernet, *_ip_header(cfg.srcip, cfg.dstip, self.protocol, length - 14))
        pseudo = cfg.srcip.packed + cfg.dstip.packed + struct.pack(">HH", self.protocol, length - 34)
        # UDP has its length a second time, in its header.
        fast.sum = _sum(pseudo) + (_sum(struct.pack(">H", length - 34)) if self.protocol == UDP else 0)
        fast.length = length

    def _set_rate(self, rate: int) -> None:
        """Packets a second; 0 stands for as many as are pulled."""
        bucket = self.state.bucket
        assign(bucket, rate, 2)
        fill(bucket, FULL if rate else 0)

    count = sum_handler("fast")

    @read_handler("rate")
    def read_rate(self) -> str:
        fast = self.state.fast
        return str(fast.count * 1000 // max(1, (fast.ended - fast.began) // 10**6)) if fast.ended else "0"

    @write_handler("rate")
    def write_rate(self, text: str) -> None:
        self._set_rate(RATE.parse(text.strip()))
        self.notify()

    @write_handler
    def limit(self, text: str) -> None:
        self.state.fast.limit = LIMIT.parse(text.strip())
        self.notify()

    @write_handler
    def reset(self, text: str) -> None:
        fast = self.state.fast
        fast.count = fast.began = fast.ended = 0
        self.notify()

    @write_handler
    def active(self, text: str) -> None:
        self.state.fast.active = Bool().parse(text.strip())
        if self.state.fast.active:
            self.reset("")


def _ip_header(source: IPv4Address, destination: IPv4Address, protocol: int, length: int) -> bytes:
    header = struct.pack(">BBHHHBBH4s4s", 0x45, 0, length, 0, 0, TTL, protocol, 0, source.packed, destination.packed)
    checksum = ~_sum(header) & 0xFFFF
    return header[:10] + struct.pack("<H", checksum) + header[12:]


def _sum(data: bytes) -> int:
    """Ones' complement sum of the words as they lie in a little-endian machine's memory, 16 bits."""
    total = sum(struct.unpack(f"<{len(data) // 2}H", data))
    while total >> 16:
        total = (total >> 16) + (total & 0xFFFF)
    return total
