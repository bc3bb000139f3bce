"""Routers in which something waits, one for each class that lets packets wait: what makes it wait, and what lets it go on."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass

from scapy.layers.inet import IP, UDP
from scapy.layers.inet6 import ICMPv6ND_NA, ICMPv6NDOptDstLLAddr, IPv6, IPv6ExtHdrFragment
from scapy.layers.l2 import ARP, Ether
from tests.runtime.routers import SECOND, Routers, frame

OWN, HOST = "02:00:00:00:00:01", "02:00:00:00:00:09"
DATA = bytes(range(128))


@dataclass(frozen=True)
class Waiting:
    """Frames on eth0 wait in the element `x`, once `begin` has been called. What `release` does then makes all of them arrive at eth1, as
    `arriving` packets; `also` counts frames that leave by eth1 besides."""

    text: str
    frames: Sequence[bytes]
    release: Callable[[Routers], None]
    arriving: int = 0
    also: int = 0
    begin: Callable[[Routers], None] = lambda router: None

    @property
    def packets(self) -> int:
        return self.arriving or len(self.frames)


def _frames(number: int) -> list[bytes]:
    return [frame(each) for each in range(number)]


def _writes(handler: str, text: str) -> Callable[[Routers], None]:
    return lambda router: router.write(handler, text)


def _opens(router: Routers) -> None:
    router.write("u.limit", "100")
    router.write("u.active", "true")


def _passes(seconds: int) -> Callable[[Routers], None]:
    return lambda router: router.now.advance(seconds * SECOND)


def _comes(bytes_: bytes, device: str = "eth0") -> Callable[[Routers], None]:
    return lambda router: router.now.inject(device, bytes_)


def _ether(packet: object) -> bytes:
    return bytes(Ether(src=HOST, dst=OWN) / packet)


def _fragment(start: int, more: int) -> bytes:
    return _ether(IP(src="10.0.0.2", dst="10.0.1.2", id=7, proto=17, flags=more, frag=start // 8) / DATA[start : start + 64])


def _fragment6(start: int, more: int) -> bytes:
    whole = bytes(UDP(sport=1, dport=2) / DATA[:120])
    header = IPv6(src="2001:db8::2", dst="2001:db8:1::2") / IPv6ExtHdrFragment(offset=start // 8, m=more, id=7, nh=17)
    return _ether(header / whole[start : start + 64])


_REPLY = _ether(ARP(op=2, hwsrc=HOST, psrc="10.0.0.9", hwdst=OWN, pdst="10.0.0.1"))
_ADVERTISEMENT = _ether(
    IPv6(src="2001:db8::9", dst="fe80::1", hlim=255) / ICMPv6ND_NA(R=0, S=1, O=1, tgt="2001:db8::9") / ICMPv6NDOptDstLLAddr(lladdr=HOST)
)
_PUSHED = "FromDevice(eth0) -> x :: {} -> u :: Unqueue(ACTIVE false) -> Queue(200) -> ToDevice(eth1);"
_PULLED = "FromDevice(eth0) -> Queue(200) -> x :: {} -> Queue(200) -> ToDevice(eth1);"
_ARP = f"""FromDevice(eth0) -> Strip(14) -> SetIPAddress(10.0.0.9) -> x :: ARPQuerier(10.0.0.1/24, {OWN}{{}}) -> Queue -> ToDevice(eth1);
FromDevice(eth2) -> [1]x;"""
_ARP_FRAMES = [_ether(IP(src="10.0.1.2", dst="10.0.0.9") / UDP(sport=n)) for n in range(2)]

WAITING = {
    "Queue": Waiting(_PUSHED.format("Queue(200)"), _frames(20), _writes("u.active", "true")),
    "FrontDropQueue": Waiting(_PUSHED.format("FrontDropQueue(200)"), _frames(20), _writes("u.active", "true")),
    "MixedQueue": Waiting(_PUSHED.format("MixedQueue(200)") + "Idle -> [1]x;", _frames(20), _writes("u.active", "true")),
    "SimpleQueue": Waiting(_PUSHED.format("SimpleQueue(200)"), _frames(20), _writes("u.active", "true")),
    "CPUQueue": Waiting(_PUSHED.format("CPUQueue(200)"), _frames(20), _writes("u.active", "true")),
    "Pipeliner": Waiting(
        "FromDevice(eth0) -> x :: Pipeliner(ACTIVE false, DIRECT_TRAVERSAL false) -> Queue(200) -> ToDevice(eth1);",
        _frames(20), _writes("x.active", "true"),
    ),
    "LinkUnqueue": Waiting(_PULLED.format("LinkUnqueue(1s, 1GBps)"), _frames(20), _passes(3)),
    "DelayShaper": Waiting(_PULLED.format("DelayShaper(1s) -> Unqueue"), _frames(20), _passes(3)),
    "DelayUnqueue": Waiting(_PULLED.format("DelayUnqueue(1s)"), _frames(20), _passes(3)),
    "Pacer": Waiting("FromDevice(eth0) -> x :: Pacer(10, 100) -> Queue(200) -> ToDevice(eth1);", _frames(20), _passes(3)),
    "BandwidthPacer": Waiting(
        "FromDevice(eth0) -> x :: BandwidthPacer(600Bps, 60000) -> Queue(200) -> ToDevice(eth1);", _frames(20), _passes(5)
    ),
    "IPReassembler": Waiting(
        "FromDevice(eth0) -> Strip(14) -> CheckIPHeader -> x :: IPReassembler -> Queue -> ToDevice(eth1);",
        [_fragment(0, 1)], _comes(_fragment(64, 0)),
    ),
    "IP6Reassembler": Waiting(
        "FromDevice(eth0) -> Strip(14) -> CheckIP6Header -> x :: IP6Reassembler -> Queue -> ToDevice(eth1);",
        [_fragment6(0, 1)], _comes(_fragment6(64, 0)),
    ),
    "ARPQuerier": Waiting(_ARP.format(""), _ARP_FRAMES, _comes(_REPLY, "eth2"), also=1),
    "ARPTable": Waiting("t :: ARPTable;" + _ARP.format(", TABLE t"), _ARP_FRAMES, _comes(_REPLY, "eth2"), also=1),
    "IP6NDSolicitor": Waiting(
        f"""FromDevice(eth0) -> Strip(14) -> CheckIP6Header -> x :: IP6NDSolicitor(fe80::1, {OWN}) -> Queue -> ToDevice(eth1);
        FromDevice(eth2) -> [1]x;""",
        [_ether(IPv6(src="2001:db8:1::2", dst="2001:db8::9") / UDP(sport=n)) for n in range(3)], _comes(_ADVERTISEMENT, "eth2"), also=1,
    ),
    "DRRSched": Waiting(
        "FromDevice(eth0) -> c :: CheckLength(100) -> Queue(200) -> x :: DRRSched(100) -> u :: Unqueue(LIMIT 5, ACTIVE false) -> Queue(200)"
        "-> ToDevice(eth1); c[1] -> Queue(200) -> [1]x;",
        [frame(0) + bytes(1000), *_frames(19)], _opens, begin=_writes("u.active", "true"),
    ),
    "TimeSortedSched": Waiting(
        "FromDevice(eth0) -> Queue(200) -> x :: TimeSortedSched(BUFFER 10) -> u :: Unqueue(LIMIT 5, ACTIVE false)"
        "-> Queue(200) -> ToDevice(eth1);",
        _frames(20), _opens, begin=_writes("u.active", "true"),
    ),
    "ComparePackets": Waiting(
        "FromDevice(eth0) -> Queue -> [0]x :: ComparePackets; Idle -> Queue -> [1]x; x[0] -> Unqueue -> Queue -> ToDevice(eth1);"
        "x[1] -> u :: Unqueue(ACTIVE false) -> Discard;",
        _frames(1), _writes("u.active", "true"),
    ),
}  # fmt: skip
