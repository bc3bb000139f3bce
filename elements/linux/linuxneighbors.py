import ctypes
import secrets
import socket
from collections.abc import Mapping
from ipaddress import IPv4Address, IPv6Address

from clickbpf.declare import (
    ANY, BEARS_OFFLOADS, ETHER_HLEN, ETHERNET, HALF, KEPT, NETWORK, PUSH, THREAD_SAFE, WORD, AlignmentRule, DeviceName, DirectArray,
    Element, Ether, Form, Held, Private, Required, Self, State, Vars, c_enum, read_handler, s32, sum_handler, u16, u32, u64,
)

from ._netlink import opened

#: A bucket's slots, and the number of buckets as a power of two.
SLOTS, BITS = 4, 11
#: RTNLGRP_LINK, RTNLGRP_NEIGH.
LINK, NEIGHBOUR = 1, 3
MAPPED = 0xFFFF

#: `slots`: neighbours, as neighbours.h describes them; `stale`, if Linux wants reports of their use; and whether they were `used`
#: since. `vars`: this side's Ethernet address as the low six bytes, and the secret of the hash.
STATES: Mapping[str, State] = {
    "slots": DirectArray(SLOTS << BITS, high=u64, low=u64, word=u64, round=u32, stale=u16, used=u16),
    "vars": Vars(ether=u64, secret=u64, round=u32, known=u32),
}


def structures() -> str:
    """C of the states for the unit that follows Linux."""
    numbers = c_enum("NEIGHBOUR_", {"SLOTS": SLOTS, "BITS": BITS})
    return numbers + STATES["slots"].c_structure("neighbour") + STATES["vars"].c_structure("neighbour_vars")


class LinuxNeighbors(Element, ports="1/1-2", processing=PUSH, traits=BEARS_OFFLOADS | THREAD_SAFE):
    """puts IP packets into Ethernet headers, with addresses from Linux's neighbour table

    If Linux's neighbour table (`ip neigh`) has an Ethernet address on DEVICE for the packet's destination annotation, the packet,
    IPv4 or IPv6, leaves by output 0 with an Ethernet header from DEVICE to that address. Other packets leave unchanged by output 1,
    or are dropped if it isn't connected. Leave them to Linux: put back the stripped header, and send them to ToHost. Linux resolves
    the neighbour and sends the packet; from then on the neighbour is known here, too.

    The table, and DEVICE's own Ethernet address, are followed as long as the router runs. The use of neighbours is reported to
    Linux, so that it probes them in time, like those that it uses itself. If the runtime dies, the known neighbours remain.

    IPv4 packets for a gateway with an IPv6 address (LinuxIPLookup) are sent to that IPv6 neighbour.

    Linux must receive replies: send ARP, and IPv6 packets that aren't forwarded, to ToHost.

    Example:

        FromDevice(eth0) -> Strip(14) -> CheckIPHeader -> rt :: LinuxIPLookup(eth1);
        rt[0] -> out :: LinuxNeighbors(eth1) -> Queue -> ToDevice(eth1);
        rt[1], out[1] -> Unstrip(14) -> ToHost;
    """

    takes = (Form(begins=NETWORK),)
    alignment = AlignmentRule((WORD, HALF), moves=-ETHER_HLEN)
    libraries = ("mnl",)
    weight = 120
    args = (Required("DEVICE", DeviceName(), "the network device on which the neighbours are"),)
    headers = {"neighbourstructures.h": structures}
    state_types = {**STATES, "netlink": Private(events=s32, dumps=s32, index=u32)}
    holds = (Held("neighbours", KEPT, KEPT),)

    def gives(self, form: Form | None) -> Form:
        return (form or ANY).changed(begins=ETHERNET)

    def begin(self) -> None:
        self._sockets: list[socket.socket] = []

    def initialise(self) -> None:
        self.state.vars.secret = secrets.randbits(64) | 1
        own = self.state.netlink
        own.events = own.dumps = -1
        index = self.runtime and self.runtime.device_index(self.cfg.device)
        if index is None:
            return
        self._sockets = [opened(LINK, NEIGHBOUR), opened()]
        own.index, (own.events, own.dumps) = index, (each.fileno() for each in self._sockets)

    def take_state(self, before: Self) -> None:
        """Take the old neighbours, to use until the first dump is complete."""
        if before.cfg.device == self.cfg.device:
            for name in STATES:
                mine, old = getattr(self.state, name), getattr(before.state, name)
                ctypes.memmove(ctypes.addressof(mine[0]), ctypes.addressof(old[0]), ctypes.sizeof(mine[0]) * len(mine))

    def finished(self) -> None:
        for each in self._sockets:
            each.close()
        self._sockets.clear()

    @read_handler
    def table(self) -> str:
        """a line for each neighbour: its address and Ethernet address, and `stale` if Linux isn't sure of it"""
        lines = []
        for slot in self.state.slots:
            if slot.word:
                packed = slot.high.to_bytes(8, "little") + slot.low.to_bytes(8, "little")
                short = not slot.high and slot.low >> 32 == MAPPED
                address = IPv4Address(packed[8:12]) if short else IPv6Address(packed)
                ether = Ether((slot.word & (1 << 48) - 1).to_bytes(6, "little"))
                lines.append(f"{address} {ether}{' stale' if slot.stale else ''}\n")
        return "".join(sorted(lines))

    known = sum_handler(
        "vars", text="how many neighbours are known. There is room for 8192, in buckets of four by a hash of the address"
    )
