"""The base of LinuxIPLookup and LinuxIP6Lookup: sockets that follow Linux's routes, and the table that packets are routed by."""

import ctypes
import secrets
import socket
from collections.abc import Iterator
from contextlib import ExitStack
from enum import IntEnum
from ipaddress import ip_address, ip_network
from pathlib import Path
from typing import ClassVar, Self

from clickbpf.declare import (
    BEARS_OFFLOADS, KEEPS_HEADER, KEPT, NETWORK, PUSH, THREAD_SAFE, ArgError, Array, Bool, Constants, DeviceName, DirectArray, Element,
    Form, Held, Integer, Keyword, Private, Raw, Rest, Vars, c_enum, read_handler, s32, sum_handler, u8, u32, u64,
)

from ._netlink import opened, vrf_table

ROOT_CHUNKS = 256
CHUNK = 0x8000_0000
#: A cell's bits for the number of a hop, and a group's buckets, a power of two.
HOP_BITS, HOP_BUCKETS = 22, 128
MOST_DEVICES = 64
#: The most hops, and groups of hops that share packets.
HOPS, GROUPS = 16384, 256
HOP = DirectArray(HOPS, word=u64, gateway=u8 * 16)
STATS = Vars(updates=u64, key=u64 * 2, routes=u32, unmirrored=u32, resyncs=u32, overruns=u32, fields=u32)
#: NETLINK_ROUTE's groups: RTNLGRP_LINK, _IPV4_IFADDR, _IPV4_ROUTE, _IPV4_RULE and so on.
LINK, NEXTHOP = 1, 32
GROUPS_OF = {socket.AF_INET: (5, 7, 8), socket.AF_INET6: (9, 11, 19)}

#: The common text of the two classes' manual pages.
MANUAL = """{summary}

    Each packet leaves by the output for Linux's route to its destination address annotation: output 0 for the first DEVICE, output
    1 for the second one, and so on. If the route has a gateway, it becomes the new destination annotation. A gateway with an IPv6
    address sets the IPv6 annotation even for an IPv4 packet; LinuxNeighbors finds such a neighbour, ARPQuerier doesn't. The last
    output is for packets left to Linux: connect a ToHost there, and restore the packet as it came. If it isn't connected, these
    packets are dropped.

    Routes are followed as long as the router runs, whoever makes them: `ip route`, DHCP, a VPN, FRR or BIRD. Linux's output gets
    packets for the machine's own addresses, broadcasts and multicasts, including link-level ones; packets without a route, or with
    one of type unreachable, prohibit or throw, which Linux reports; packets longer than the MTU of route or device; packets to
    devices that are down or not among the DEVICEs; and packets of routes with a type of service, a source prefix or an
    encapsulation. Packets with a route of type blackhole are dropped, with the reason FILTERED.

    A route with several next hops (ECMP) chooses one by the packet's flow, as Linux's setting fib_multipath_hash_policy specifies:
    by addresses (0), also by protocol and ports (1), or by fib_multipath_hash_fields (3). Only outer headers are used. Linux has no
    notification for these settings: they are read each second, and so is FORWARDING's. When a next hop disappears, only its flows
    move to the others.

    With TABLE or VRF, Linux's policy rules (`ip rule`) are ignored. Without these, all packets are left to Linux as long as there
    are rules other than the default ones.

    If the runtime dies, packets are routed by the last known routes; the next runtime catches up with the changes.

    Ports: one push input; an output for each DEVICE, and perhaps one for Linux.

    Example:

        FromDevice(eth0) -> Strip(14) -> {check} -> rt :: {name}(eth0, eth1);
        rt[0] -> Discard;
        rt[1] -> Discard;
        rt[2] -> Unstrip(14) -> ToHost;
    """


class Kind(IntEnum):
    """Of a hop; one of NONE was never used."""

    NONE, PLAIN, GROUP, BLACKHOLE = range(4)


def structures() -> str:
    """C of hops and statistics for the units that follow Linux."""
    numbers = c_enum("HOP_", {**Kind.__members__, "BITS": HOP_BITS, "BUCKETS": HOP_BUCKETS})
    numbers += c_enum("ROUTES_", {"MOST_DEVICES": MOST_DEVICES})
    return numbers + HOP.c_structure("hop") + STATS.c_structure("routes_stats")


class LinuxRouteTable(Element, ports="1/-", processing=PUSH, traits=BEARS_OFFLOADS | KEEPS_HEADER | THREAD_SAFE):
    """Base of the two classes."""

    family: ClassVar[int]
    takes = (Form(begins=NETWORK, marked=True, needs="DST_IP"),)
    libraries = ("mnl",)
    headers = {"routestructures.h": structures}
    weight = 120
    args = (
        Rest("DEVICE", DeviceName(), "a network device; at most 64"),
        Keyword("TABLE", Integer(32, low=1), text="the number of a routing table. Default is main, after the table of local addresses"),
        Keyword("VRF", Raw(), text="a VRF device, to use its table"),
        Keyword("FORWARDING", Bool(), False, "leave all packets to Linux while Linux doesn't forward (sysctl net.ipv4.ip_forward, "
            "net.ipv6.conf.all.forwarding)"),
        Keyword("CHUNKS", Integer(low=1, high=1 << 22), 1 << 16, "room for prefixes longer than 16 bits, in chunks of 1 kB: the default is "
            "ample for a full IPv4 table of the Internet, where prefixes have at most 24 bits; a full IPv6 table takes some 240,000, and "
                "an IPv6 prefix of 128 bits up to fourteen. Prefixes without room, and those around them, are left to Linux"),
    )
    state_types = {
        "fib": Array(lambda element: ROOT_CHUNKS + element.cfg.chunks, cell=u32 * 256),
        "hops": HOP,
        "buckets": Array(GROUPS, hop=u32 * HOP_BUCKETS),
        "stats": STATS,
        "netlink": Private(events=s32, dumps=s32, settings=s32 * 3, family=s32, table=u32, is_vrf=u32, index=u32 * MOST_DEVICES),
    }
    holds = (Held("routes", KEPT, KEPT),)

    def configure(self) -> None:
        named = len(self.cfg.device)
        if not 0 < named <= MOST_DEVICES:
            raise ArgError(f"need 1 to {MOST_DEVICES} devices", argument="DEVICE")
        if self.noutputs not in (named, named + 1):
            raise ArgError(f"need {named} or {named + 1} output ports", "one for each device, and one for packets that are Linux's")
        if self.cfg.table and self.cfg.vrf:
            raise ArgError("VRF has a table", "leave out TABLE, or VRF", argument="TABLE")

    def constants(self) -> Constants:
        chunks = ROOT_CHUNKS + self.cfg.chunks
        return {name: ("int", str(value)) for name, value in {"devices": len(self.cfg.device), "hops": HOPS, "groups": GROUPS}.items()} | {
            "chunks": ("unsigned", str(chunks))
        }

    def begin(self) -> None:
        self._files = ExitStack()

    def initialise(self) -> None:
        self.state.stats.key[:] = [secrets.randbits(64) for _ in range(2)]
        own = self.state.netlink
        own.events = own.dumps = -1
        indices = [self.runtime and self.runtime.device_index(device) for device in self.cfg.device]
        if None in indices:
            return
        own.family, own.is_vrf = self.family, bool(self.cfg.vrf)
        own.table = vrf_table(self.cfg.vrf) if self.cfg.vrf else self.cfg.table or 0
        own.index[: len(indices)] = indices
        sockets = opened(LINK, NEXTHOP, *GROUPS_OF[self.family]), opened()
        own.events, own.dumps = (self._files.enter_context(each).fileno() for each in sockets)
        version = "ipv4" if self.family == socket.AF_INET else "ipv6"
        own.settings[:] = [
            *(self._setting(f"{version}/fib_multipath_hash_{name}") for name in ("policy", "fields")),
            self._setting(f"{version}/conf/all/forwarding") if self.cfg.forwarding else -1,
        ]

    def _setting(self, name: str) -> int:
        """A descriptor of a sysctl file; -1 if it doesn't exist."""
        try:
            return self._files.enter_context(Path("/proc/sys/net", name).open("rb")).fileno()
        except OSError:
            return -1

    def take_state(self, before: Self) -> None:
        """Take the old routes, to use until the first dump is complete."""
        if (before.cfg.device, before.cfg.chunks) == (self.cfg.device, self.cfg.chunks):
            for name in ("hops", "buckets", "fib", "stats"):
                mine, old = getattr(self.state, name), getattr(before.state, name)
                size = ctypes.sizeof(mine[0]) * len(mine)
                ctypes.memmove(ctypes.addressof(mine[0]), ctypes.addressof(old[0]), size)

    def finished(self) -> None:
        self._files.close()

    # -- handlers -----------------------------------------------------------------------------------------------------

    @property
    def bits(self) -> int:
        return 32 if self.family == socket.AF_INET else 128

    def _hop(self, number: int) -> str:
        """A hop as handlers show it."""
        hop = self.state.hops[number]
        kind, upper, port = hop.word >> 16 & 0xFF, hop.word >> 32, hop.word & 0xFFFF
        if kind == Kind.GROUP:
            used = sorted(set(self.state.buckets[upper // HOP_BUCKETS].hop))
            return ", ".join(self._hop(each) for each in used)
        if not port:
            return "- blackhole" if kind == Kind.BLACKHOLE else "- linux"
        gateway = bytes(hop.gateway if any(hop.gateway[8:]) else hop.gateway[: self.bits // 8])
        return f"{ip_address(gateway) if any(gateway) else '-'} {port - 1}"

    def _prefixes(self, start: int, count: int, address: int, last: int) -> Iterator[tuple[int, int, int]]:
        """(address, length, hop) of the prefixes in these cells, with repetitions."""
        for index in range(start, start + count):
            cell = self.state.fib[index // 256].cell[index % 256]
            inside = address | (index - start) << (self.bits - last)
            if cell & CHUNK:
                yield from self._prefixes((cell ^ CHUNK) * 256, 256, inside, last + 8)
            elif cell:
                length = cell >> HOP_BITS & 0xFF
                yield inside >> (self.bits - length) << (self.bits - length), length, cell & (1 << HOP_BITS) - 1

    @read_handler
    def table(self) -> str:
        """a line for each prefix: the prefix, the gateway or `-`, and the output, or `linux` or `blackhole`"""
        found = sorted(set(self._prefixes(0, 65536, 0, 16)))
        kind = ip_address(0 if self.bits == 32 else 1 << 127).__class__
        return "".join(f"{ip_network((kind(address), length))} {self._hop(hop)}\n" for address, length, hop in found)

    @read_handler
    def lookup(self, address: str = "") -> str:
        """the output and the gateway, if any, for an ADDRESS; -1 if its packets are left to Linux"""
        try:
            wanted = ip_address(address.strip())
        except ValueError:
            raise ArgError("expected an IP address", "read it as 'lookup ADDRESS'") from None
        bits, cell = self.bits - 16, 0
        index = int(wanted) >> bits
        while (cell := self.state.fib[index // 256].cell[index % 256]) & CHUNK:
            bits -= 8
            index = (cell ^ CHUNK) * 256 + (int(wanted) >> bits & 0xFF)
        gateway, port = self._hop(cell & (1 << HOP_BITS) - 1).split(", ")[0].split()
        if not port.isdigit():
            return "-1"
        return port if gateway == "-" else f"{port} {gateway}"

    routes = sum_handler("stats", text="routes that Linux has")
    updates = sum_handler("stats", text="messages about routes so far")
    unmirrored = sum_handler("stats", text="routes by the DEVICEs that only Linux can follow")
    resyncs = sum_handler("stats", text="how often all routes were dumped")
    overruns = sum_handler("stats", text="how often messages were lost")
    fields = sum_handler("stats", text="the fields that identify flows, as bits of Linux's fib_multipath_hash_fields")
