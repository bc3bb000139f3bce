"""configs/iprouter.click beside Linux's own router: the same packets bring the same packets, on both links, or the difference has a reason.

10.0.0.2, 2001:db8::2 ---- eth0 .1 . .1 eth1 (MTU 1280) ---- 10.0.1.2, 2001:db8:1::2
"""

from collections.abc import Callable, Iterable, Iterator
from functools import partial

import pytest
from scapy.layers.inet import ICMP, IP, TCP, UDP
from scapy.layers.inet6 import (
    HBHOptUnknown,
    ICMPv6DestUnreach,
    ICMPv6EchoReply,
    ICMPv6EchoRequest,
    ICMPv6ND_NA,
    ICMPv6ND_NS,
    ICMPv6ND_Redirect,
    ICMPv6NDOptDstLLAddr,
    ICMPv6TimeExceeded,
    ICMPv6Unknown,
    IPv6,
    IPv6ExtHdrDestOpt,
    IPv6ExtHdrFragment,
    IPv6ExtHdrHopByHop,
    IPv6ExtHdrRouting,
    PadN,
    RouterAlert,
)
from scapy.layers.l2 import Ether
from scapy.packet import Packet, Raw
from tests.configs.conftest import Loaded
from tests.configs.traffic import CONFIGS
from tests.waiting import eventually

from clickbpf.testing.netns import Namespace, Network
from clickbpf.testing.traffic import RawPort

pytestmark = [pytest.mark.needs("root", "ip", "ethtool", "clang-19"), pytest.mark.whole]

ROUTER_MACS, HOST_MACS = ("02:00:00:00:00:10", "02:00:00:00:01:10"), ("02:00:00:00:00:02", "02:00:00:00:01:02")
MTU = 1280
ONE, TWO, OWN = "10.0.0.2", "10.0.1.2", "10.0.0.1"
ONE6, TWO6, OWN6, OWN6_LINK, LINK6 = "2001:db8::2", "2001:db8:1::2", "2001:db8::1", "fe80::ff:fe00:10", "fe80::ff:fe00:2"
#: Hosts, each behind a device with an Ethernet address. Behind 10.0.0.254 and 2001:db8::fe are all other networks.
NEIGHBOURS = [
    *((0, address, HOST_MACS[0]) for address in (ONE, "10.0.0.254", ONE6, "2001:db8::fe", LINK6, "fe80::99")),
    *((0, address, "02:00:00:00:00:77") for address in ("10.0.0.77", "2001:db8::77")),
    *((1, address, HOST_MACS[1]) for address in (TWO, TWO6)),
]

#: A router forwards it to the second host, when it has done with what came before.
LAST = Ether(src=HOST_MACS[0], dst=ROUTER_MACS[0]) / IP(src=ONE, dst=TWO) / UDP(dport=4) / b"the last"

#: Where the routers differ, and why.
ICMP_OF_ITS_OWN = "RFC 1122, 3.2.2: no error is about an error; Linux sends none about types that it doesn't know, either"
BY_ADDRESS = "CheckIPHeader knows sources that are none by their addresses, as Click's does, and not by networks"
NOT_FORWARDED = "RFC 1812, 5.3.7 and 4.2.2.11: not to be forwarded, and Linux does"
SOURCE_ROUTES = "Linux drops all packets with source routes; a router that isn't their destination has nothing to do with them"
OPTION_LENGTH = "a parameter problem is at the option's length for Click, at its type for Linux"
OPTIONS_OF_FRAGMENTS = "options that aren't copied (RFC 791) are left out by Click, and no-operations for Linux"
RECORDED = "the outgoing device's address is recorded, as in RFC 791, and for Linux the preferred source"
IGNORED = "RFC 8200, 4: a router may ignore hop-by-hop options; IP6 routers of Click do"
REASONS = {
    "source 127.0.0.1": BY_ADDRESS,
    "source 224.0.0.1": BY_ADDRESS,
    "source 10.0.0.1": BY_ADDRESS,
    "source 10.0.1.1": BY_ADDRESS,
    "source 10.0.0.255": NOT_FORWARDED,
    "source 10.0.1.255": NOT_FORWARDED,
    "to 0.1.2.3": NOT_FORWARDED,
    "to 240.0.0.1": NOT_FORWARDED,
    "no length of an option": OPTION_LENGTH,
    "too great a length of an option": OPTION_LENGTH,
    "a timestamp with an address": RECORDED,
    "loose source route": SOURCE_ROUTES,
    "strict source route": SOURCE_ROUTES,
    "CIPSO": "Linux reads labels that no domain of its own has",
    "too big, with options": OPTIONS_OF_FRAGMENTS,
    "TTL 1, ICMP of an unknown type": ICMP_OF_ITS_OWN,
    "TTL 1, from a broadcast address": NOT_FORWARDED,
    "TTL 1, recorded route": "what expired is quoted with the recorded route by Click",
    "IPv6 to ::": "RFC 4291, 2.5.2: never a destination",
    "IPv6 to fe80::99": "what is for a neighbour on the link it came from stays there; Linux sends it back to the link",
    "IPv6, hop limit 1, a redirect": "RFC 4443, 2.4 e.2: no error is about a redirect",
    "IPv6, a solicitation for a host elsewhere": "with a hop limit of 255 it was no use to a host behind the router",
    **{f"IPv6, unknown hop-by-hop option {kind:#x}": IGNORED for kind in (0x5E, 0x9E, 0xDE)},
}


def packets() -> Iterator[tuple[str, int, bytes]]:
    """(name, the host that sends it, the frame)."""
    yield from (framed(name, packet, **where) for name, packet, where in _ipv4())
    yield from (framed(f"IPv6{name}", packet, **where) for name, packet, where in _ipv6())


def framed(name: str, packet: Packet, host: int = 0, to: str = "") -> tuple[str, int, bytes]:
    return name, host, bytes(Ether(src=HOST_MACS[host], dst=to or ROUTER_MACS[host]) / packet)


def _ipv4() -> Iterator[tuple[str, Packet, dict]]:
    ip = partial(IP, src=ONE, dst=TWO, id=7)
    data = UDP(sport=5, dport=6) / bytes(32)
    yield "a datagram", ip() / data, {}
    yield "a datagram back", ip(src=TWO, dst=ONE) / data, {"host": 1}
    yield "DSCP and ECN", ip(tos=0xB9) / data, {}
    for flags in ("DF", "evil"):
        yield f"the flag {flags}", ip(flags=flags) / data, {}
    for ttl in (0, 1, 2):
        yield f"TTL {ttl}", ip(ttl=ttl) / data, {}
    for name, wrong in {"checksum": {"chksum": 0x1234}, "version": {"version": 6}, "IHL": {"ihl": 4}}.items():
        yield f"a wrong {name}", ip(**wrong) / data, {}
    for length in (19, 200):
        yield f"length {length}", ip(len=length) / data, {}
    yield "a trailer", ip(len=60) / data / b"behind it", {}
    for source in (
        *("0.0.0.0", "0.1.2.3", "127.0.0.1", "224.0.0.1", "240.0.0.1", "255.255.255.255", "169.254.1.1"),
        *("10.0.0.255", "10.0.1.255", "10.0.0.1", "10.0.1.1", TWO),
    ):
        yield f"source {source}", ip(src=source) / data, {}
    for destination in (
        *("0.0.0.0", "0.1.2.3", "127.0.0.1", "224.0.0.1", "224.0.0.77", "239.1.1.1", "240.0.0.1", "255.255.255.255", "169.254.1.1"),
        *("10.0.0.255", "10.0.1.255", "10.0.1.0", "10.0.0.77", "8.8.8.8", ONE),
    ):
        yield f"to {destination}", ip(dst=destination) / data, {}
    yield "through the other link's gateway", ip(src=TWO, dst="8.8.8.8") / data, {"host": 1}
    for target in (TWO, OWN, "10.0.1.1"):
        yield f"an echo to {target}", ip(dst=target) / ICMP(id=3, seq=4) / b"ping", {}
        yield f"a wrong echo to {target}", ip(dst=target) / ICMP(id=3, seq=4, chksum=1) / b"ping", {}
        yield f"UDP to a closed port of {target}", ip(dst=target) / UDP(sport=5, dport=9) / bytes(32), {}
        yield f"TCP to a closed port of {target}", ip(dst=target) / TCP(sport=5, dport=9, seq=100), {}
        yield f"protocol 200 to {target}", ip(dst=target, proto=200) / bytes(20), {}
        yield f"a later fragment to {target}", ip(dst=target, flags="MF", frag=10) / bytes(32), {}
    yield "an echo to the router with TTL 1", ip(dst=OWN, ttl=1) / ICMP(id=3, seq=4), {}
    for name, options in OPTIONS.items():
        yield name, ip(options=[Raw(options + bytes(-len(options) % 4))]) / data, {}
    for mac in ("01:00:5e:00:00:01", "ff:ff:ff:ff:ff:ff"):
        for name, packet in {"a datagram": ip(), "TTL 1": ip(ttl=1), "for the router": ip(dst=OWN)}.items():
            yield f"{name} in a frame to {mac}", packet / data, {"to": mac}
    yield "a directed broadcast", ip(dst="10.0.0.255") / ICMP(id=3, seq=4), {"to": "ff:ff:ff:ff:ff:ff"}
    large = UDP(sport=5, dport=6) / bytes(1400)
    for name, packet in {"": ip(), ", not to be cut": ip(flags="DF"), ", a fragment": ip(flags="MF", frag=3), ", TTL 1": ip(ttl=1)}.items():
        yield f"too big{name}", packet / large, {}
    yield "too big, with options", ip(options=[Raw(bytes.fromhex("070704 00000000 94040000 00"))]) / large, {}
    for size in (MTU - 28, MTU - 27):
        yield f"{size} bytes", ip() / UDP(sport=5, dport=6) / bytes(size), {}
    for name, last in {
        "an error": ICMP(type=3, code=1) / IP(src=TWO, dst=ONE) / data,
        "an echo reply": ICMP(type=0),
        "a redirect": ICMP(type=5) / IP() / data,
        "ICMP of an unknown type": ICMP(type=100),
    }.items():
        yield f"TTL 1, {name}", ip(ttl=1) / last, {}
    yield "TTL 1, a first fragment", ip(ttl=1, flags="MF") / data, {}
    yield "TTL 1, a later fragment", ip(ttl=1, frag=9) / bytes(40), {}
    yield "TTL 1, from elsewhere", ip(ttl=1, src="172.16.1.1") / data, {}
    yield "TTL 1, 900 bytes", ip(ttl=1) / bytes(900), {}
    yield "TTL 1, from a broadcast address", ip(ttl=1, src="10.0.0.255") / data, {}
    yield "TTL 1, from a group", ip(ttl=1, src="224.0.0.9") / data, {}
    yield "TTL 1, recorded route", ip(ttl=1, options=[Raw(OPTIONS["record route"])]) / data, {}


OPTIONS = {
    "no-operations": bytes.fromhex("01010100"),
    "record route": bytes.fromhex("070b04 0000000000000000 00"),
    "a full record route": bytes.fromhex("070708 01020304"),
    "record route, pointer too small": bytes.fromhex("070702 01020304"),
    "record route, no room for an address": bytes.fromhex("070705 01020304"),
    "no length of an option": bytes.fromhex("07000400"),
    "too great a length of an option": bytes.fromhex("07200400"),
    "a timestamp with an address": bytes.fromhex("440c0501 0000000000000000"),
    "timestamps that overflow": bytes.fromhex("44080910 00000000"),
    "the last overflow of timestamps": bytes.fromhex("440809f0 00000000"),
    "an unknown option": bytes.fromhex("9e040102"),
    "loose source route": bytes.fromhex("830704 0a000102"),
    "strict source route": bytes.fromhex("890704 0a000102"),
    "router alert": bytes.fromhex("94040000"),
    "CIPSO": bytes.fromhex("860600000001 0000"),
}


def _ipv6() -> Iterator[tuple[str, Packet, dict]]:
    ip = partial(IPv6, src=ONE6, dst=TWO6)
    data = UDP(sport=5, dport=6) / bytes(32)
    yield ", a datagram", ip() / data, {}
    yield ", a datagram back", ip(src=TWO6, dst=ONE6) / data, {"host": 1}
    yield ", traffic class and flow label", ip(tc=0xB9, fl=0x12345) / data, {}
    for limit in (0, 1, 2):
        yield f", hop limit {limit}", ip(hlim=limit) / data, {}
    for source in ("::", "::1", "ff02::1", "ff0e::1", LINK6, OWN6, "2001:db8:66::1", "::ffff:1.2.3.4"):
        yield f" from {source}", ip(src=source) / data, {}
    for destination in (
        *("::", "::1", "ff01::1", "ff02::1234", "ff05::1234", "ff0e::1234", "fe80::99", "::ffff:1.2.3.4"),
        *("2001:db8::77", "2001:db8:9::1", ONE6),
    ):
        yield f" to {destination}", ip(dst=destination) / data, {}
    yield " through the other link's gateway", ip(src=TWO6, dst="2001:db8:9::1") / data, {"host": 1}
    for target in (TWO6, OWN6):
        to = partial(ip, dst=target)
        yield f", an echo to {target}", to() / ICMPv6EchoRequest(id=7, seq=9), {}
        yield f", a wrong echo to {target}", to() / ICMPv6EchoRequest(id=7, seq=9, cksum=0x1234), {}
        yield f", TCP to a closed port of {target}", to() / TCP(sport=5, dport=9, seq=100), {}
        yield f", next header 200 to {target}", to(nh=200) / bytes(20), {}
        yield f", no next header to {target}", to(nh=59), {}
        yield f", a later fragment to {target}", to() / IPv6ExtHdrFragment(offset=10, m=1, id=77, nh=17) / bytes(32), {}
        for name, header in {
            "padding hop by hop": IPv6ExtHdrHopByHop(options=[PadN(optdata=bytes(4))]),
            "router alert": IPv6ExtHdrHopByHop(options=[RouterAlert()]),
            "destination options": IPv6ExtHdrDestOpt(),
            "hop by hop in the middle": IPv6ExtHdrDestOpt() / IPv6ExtHdrHopByHop(),
            "a route that has been taken": IPv6ExtHdrRouting(type=0, addresses=[TWO6], segleft=0),
            "a route to take": IPv6ExtHdrRouting(type=0, addresses=[TWO6], segleft=1),
            "an unknown route to take": IPv6ExtHdrRouting(type=9, addresses=[TWO6], segleft=1),
            "one fragment": IPv6ExtHdrFragment(id=78),
            **{f"unknown destination option {kind:#x}": IPv6ExtHdrDestOpt(options=[unknown(kind)]) for kind in KINDS},
        }.items():
            yield f", {name} to {target}", to() / header / data, {}
    for kind in KINDS:
        yield f", unknown hop-by-hop option {kind:#x}", ip() / IPv6ExtHdrHopByHop(options=[unknown(kind)]) / data, {}
        yield f", the router's {kind:#x}", ip(dst=OWN6) / IPv6ExtHdrHopByHop(options=[unknown(kind)]) / data, {}
    for target in ("2001:db8:1::1", "2001:db8::", "2001:db8:1::", OWN6_LINK):
        yield f", an echo to {target}", ip(src=LINK6, dst=target) / ICMPv6EchoRequest(id=7, seq=9), {}
    for group, mac in (("ff02::1", "33:33:00:00:00:01"), ("ff02::2", "33:33:00:00:00:02")):
        yield f", an echo to {group}", ip(src=LINK6, dst=group) / ICMPv6EchoRequest(id=7, seq=9), {"to": mac}
        yield f", a datagram to {group}", ip(dst=group) / data, {"to": mac}
        yield f" in a frame to {mac}", ip() / data, {"to": mac}
        yield f", hop limit 1, in a frame to {mac}", ip(hlim=1) / data, {"to": mac}
    for size in (MTU - 48, MTU - 47, 1400):
        yield f", {size} bytes", ip() / UDP(sport=5, dport=6) / bytes(size), {}
    for name, last in {
        "1400 bytes": UDP(sport=5, dport=6) / bytes(1400),
        "an error": ICMPv6TimeExceeded() / ip(src=TWO6, dst=ONE6) / data,
        "an error behind a fragment header": IPv6ExtHdrFragment(m=1, nh=58) / ICMPv6DestUnreach() / ip(src=TWO6, dst=ONE6) / data,
        "an echo reply": ICMPv6EchoReply(),
        "a redirect": ICMPv6ND_Redirect(),
        "an unknown message": ICMPv6Unknown(type=200, msgbody=bytes(8)),
        "an unknown error": ICMPv6Unknown(type=100, msgbody=bytes(8)),
    }.items():
        yield f", hop limit 1, {name}", ip(hlim=1) / last, {}
    yield ", a solicitation on its way", ip(hlim=254) / ICMPv6ND_NS(tgt=TWO6), {}
    yield ", a solicitation for a host elsewhere", ip(hlim=255) / ICMPv6ND_NS(tgt=TWO6), {}
    yield ", longer than its frame", ip(plen=200) / data, {}
    yield ", a trailer", ip(plen=40) / data / b"behind it", {}
    yield ", version 4", ip(version=4) / data, {}


#: Unknown options by their first two bits (RFC 8200, 4.2): skipped, dropped, reported, and reported unless to a group.
KINDS = (0x1E, 0x5E, 0x9E, 0xDE)


def unknown(kind: int) -> HBHOptUnknown:
    return HBHOptUnknown(otype=kind, optdata=b"ab")


def seen(host: int, frame: bytes) -> tuple | None:
    """What matters of a frame that a host gets, if anything does."""
    found = Ether(frame)
    what = _seen_of_ipv4(found[IP]) if IP in found else _seen_of_ipv6(found[IPv6]) if IPv6 in found else None
    return what and (host, found.src, found.dst, *what)


def _seen_of_ipv4(packet: IP) -> tuple | None:
    """All of a packet that was forwarded. Of the router's own, not its number, type of service and TTL; and a packet that an error
    quotes may have been counted down already. Linux's redirects have a rate."""
    whole = bytes(packet)[: packet.len]
    if packet.src not in (OWN, "10.0.1.1"):
        return (whole,)
    data = whole[4 * packet.ihl :]
    if packet.proto == 1 and data[0] == 5:
        return None
    if packet.proto == 1 and data[0] in (3, 11, 12):
        data = data[:2] + data[4:16] + data[20:]
    return packet.src, packet.dst, whole[20 : 4 * packet.ihl], data


def _seen_of_ipv6(packet: IPv6) -> tuple | None:
    """The same. Neighbour discovery and listeners' reports are no answers."""
    whole = bytes(packet)
    kind = whole[40] if packet.nh == 58 else whole[48] if whole[6:7] == b"\0" and whole[40] == 58 else 0
    if kind in (133, 134, 137, 143) or (kind in (135, 136) and packet.hlim == 255 and packet.src != ONE6):
        return None
    if packet.src in (ONE6, TWO6):
        return (whole,)
    error = packet.nh == 58 and kind < 128
    return packet.src, packet.dst, packet.nh, whole[40:42] + whole[44:55] + whole[56:] if error else whole[40:]


class Router:
    """A router between two hosts, of which it knows the Ethernet addresses."""

    def __init__(self, network: Network):
        self.place = network.namespace("router")
        for name in ("ipv4.icmp_ratelimit", "ipv6.icmp.ratelimit", "ipv6.conf.default.accept_dad", "ipv6.conf.default.disable_ipv6"):
            self.place.sysctl(f"net.{name}", "0")
        self.place.sysctl("net.ipv4.icmp_msgs_per_sec", "1000000")
        self.place.sysctl("net.ipv6.conf.default.forwarding", "1")
        self.ports = [RawPort(self._host(network, number), "eth0") for number in (0, 1)]
        for number, address, mac in NEIGHBOURS:
            self.place.neighbour(f"eth{number}", address, mac)
        self.place.route("default", "10.0.0.254")
        self.place.ip("-6", "route", "add", "default", "via", "2001:db8::fe")

    def _host(self, network: Network, number: int) -> Namespace:
        host = network.namespace(f"host{number}")
        network.veth(self.place, f"eth{number}", host, "eth0", macs=(ROUTER_MACS[number], HOST_MACS[number]))
        self.place.ip("address", "add", f"10.0.{number}.1/24", "brd", "+", "dev", f"eth{number}")
        self.place.address(f"eth{number}", f"2001:db8:{number}::1/64")
        host.offload("eth0", tx=False, gro=True)
        return host

    def answers(self, host: int, frame: bytes) -> list[tuple]:
        """What the hosts get when one of them sends a frame, of a router that does one thing after the other."""
        self.ports[host].send(frame)
        self.ports[0].send(bytes(LAST))
        got: list[tuple] = []
        assert eventually(lambda: got.extend(self._received()) or any(b"the last" in what[-1] for what in got)), "it doesn't forward"
        return _in_order(what for what in got if b"the last" not in what[-1])

    def answers_as(self, expected: list[tuple], host: int, frame: bytes) -> list[tuple]:
        """The same of any router: what there is when it is as expected, or after a second."""
        self.ports[host].send(frame)
        got: list[tuple] = []
        eventually(lambda: got.extend(self._received()) or _in_order(got) == expected, 1)
        return _in_order(got)

    def _received(self) -> list[tuple]:
        frames = [(host, frame) for host, port in enumerate(self.ports) for frame in iter(partial(port.receive, 0.01), None)]
        for host, frame in frames:
            self._advertise(host, Ether(frame))
        return [what for host, frame in frames if (what := seen(host, frame))]

    def _advertise(self, host: int, asked: Ether) -> None:
        """A neighbour that is asked whether it is still there."""
        if ICMPv6ND_NS not in asked or asked[IPv6].hlim != 255:
            return
        for number, address, mac in NEIGHBOURS:
            if (number, address) == (host, asked[ICMPv6ND_NS].tgt):
                says = ICMPv6ND_NA(tgt=address, R=0, S=1, O=1) / ICMPv6NDOptDstLLAddr(lladdr=mac)
                self.ports[host].send(bytes(Ether(src=mac, dst=asked.src) / IPv6(src=address, dst=asked[IPv6].src, hlim=255) / says))


def _in_order(answers: Iterable[tuple]) -> list[tuple]:
    return sorted(answers, key=repr)


def as_linux(network: Network) -> Router:
    router = Router(network)
    for name in ("ipv4.ip_forward", "ipv6.conf.all.forwarding"):
        router.place.sysctl(f"net.{name}", "1")
    router.place.ip("link", "set", "eth1", "mtu", str(MTU))
    return router


def as_clickbpf(network: Network, load: Callable[..., Loaded], *options: str) -> Router:
    router = Router(network)
    loaded = load(router.place, CONFIGS / "iprouter.click", options=options, MTU1=str(MTU), ADVERTISE="false")
    for number, address, mac in NEIGHBOURS:
        loaded.write(f"{'nd' if ':' in address else 'arpq'}{number}.insert", f"{address} {mac}")
    return router


@pytest.mark.parametrize("options", [(), ("--no-kernel",)], ids=["kernel", "runtime"])
def test_the_same_packets(network, load, options):
    linux, ours = as_linux(network), as_clickbpf(network, load, *options)
    differ = {}
    for name, host, frame in packets():
        expected = linux.answers(host, frame)
        if (found := ours.answers_as(expected, host, frame)) != expected:
            differ[name] = f"{name}: {expected} of Linux's router, {found} of ours"
    assert not [both for name, both in differ.items() if name not in REASONS]
    assert differ.keys() == REASONS.keys()
