import ctypes
from ipaddress import IPv4Address, IPv6Address
from struct import unpack
from typing import Any

from clickbpf.declare import (
    KEPT, LOST, USER, ArgError, Bool, Element, Held, Integer, Keyword, ListOf, Optional, Private, Self, Time, c_names, read_handler,
    sum_handler, u32, u64,
)

from ..common._warning import warn
from ._extensions import Extension, chain, name_of, prototypes
from ._tcp import COUNTED, COUNTERS, EXAMPLE, State, TCPElement


#: A connection as the handler `table` shows it.
ROW = Private(key=u64 * 5, number=u32, state=u32, held=u32)


class TCPConnections(Element, ports="0/0", runs=USER):
    """holds the connections of a TCP made of elements

    The elements of a TCP name the TCPConnections that holds their connections. TCPLookup finds a segment's connection; then
    TCPListen, TCPSynSent, TCPTrim, TCPReset, TCPAcknowledge, TCPReassemble and TCPFin, in this order, process it as RFC 9293
    specifies in section 3.10.7; the streams' data, in order, leaves the last one. TCPOutput sends the data that an application
    pushes into it. docs/tcp.md has a picture.

    An application sees packets of data, whose annotation AGGREGATE is the number of the connection. A packet without data marks the
    end of the stream, as for read(2); pushed into TCPOutput, it closes the connection on this side.

    By itself this is a plain TCP: retransmission by RFC 6298, initial sequence numbers by RFC 6528, protection from forged segments
    by RFC 5961. EXTENSIONS adds the rest.
    """

    __doc__ += EXAMPLE
    #: WHERE and TAKE move connections; TAKE returns how many are left. COPY fills rows, and returns their number.
    operations = ("WHERE", "TAKE", "COPY")
    libraries = ("m",)
    headers = TCPElement.headers
    args = (
        Optional("CAPACITY", Integer(32, low=1, high=1 << 20), 1000, "the most connections at a time. Beyond that, a new one replaces one "
            "in TIME-WAIT, or one that isn't established yet; the latter take at most half of the room"),
        Keyword("EXTENSIONS", ListOf(Extension()), (), "names of extensions, or paths of files with one, separated by spaces; a path "
            "contains a slash. Each calls the one named before it. The library has `delayack` (delayed acknowledgements, RFC 9293, "
            "3.8.6.3), `slowstart` (with congestion avoidance, RFC 5681), `fastrecovery` (with fast retransmit, RFC 6582), "
            "`headerprediction`, `windowscale` and `timestamps` (RFC 7323), `sack` and `sackrecovery` (selective acknowledgements, RFC "
            "2018 and 6675), `cubic` (RFC 9438, with `slowstart`)"),
        Keyword("BUFFER", Integer(32, low=4096, high=1 << 24), 65536, "the most bytes that a connection holds in each direction, a power "
            "of two"),
        Keyword("MEMORY", Integer(64), 64 << 20, "the most bytes that all connections hold together. A connection that needs more is "
            "reset"),
        Keyword("PEER", Integer(32), 0, "the most connections that one peer may have begun, an IPv4 address or a /64 of IPv6, so that none "
            "holds more memory than 2 BUFFER for each; 0 for no limit. Further ones are reset"),
        Keyword("MTU", Integer(16, low=576), 1500, "the longest packet to send in bytes, including its IP header"),
        Keyword("NODELAY", Bool(), False, "true to send small segments at once, without waiting for acknowledgements (RFC 9293, 3.7.4)"),
        Keyword("RTO_MIN", Time(), 200 * 10**6, "the shortest time before a retransmission. RFC 6298 specifies a second; the default is "
            "Linux's"),
        Keyword("TIMEOUT", Time(), 7200 * 10**9, "the time without a segment from the peer after which a connection is reset; 0 for never"),
        Keyword("KEEPALIVE", Time(), 0, "the time without a segment from the peer after which a keep-alive probe is sent (RFC 9293, "
            "3.8.4); 0 for never"),
        Keyword("KEEPALIVE_INTERVAL", Time(), 75 * 10**9, "the time between keep-alive probes"),
        Keyword("KEEPALIVE_COUNT", Integer(32, low=1), 9, "unanswered keep-alive probes after which the connection is reset"),
    )
    state_types = {"counters": COUNTERS}
    holds = (Held("connections", KEPT, LOST), Held("bytes of connections", KEPT, LOST))

    def configure(self) -> None:
        names = list(map(name_of, self.cfg.extensions))
        for name in {name for name in names if names.count(name) > 1}:
            raise ArgError(f"{name} is named twice", argument="EXTENSIONS")
        if self.cfg.buffer & (self.cfg.buffer - 1):
            raise ArgError(f"{self.cfg.buffer} is no power of two", argument="BUFFER")
        if self.cfg.keepalive and 0 < self.cfg.timeout <= self.cfg.keepalive:
            raise ArgError("TIMEOUT ends connections before that: a shorter KEEPALIVE, or TIMEOUT 0", argument="KEEPALIVE")
        if self.cfg.keepalive and not self.cfg.keepalive_interval:
            raise ArgError("more than 0 is needed", argument="KEEPALIVE_INTERVAL")

    def code(self) -> str:
        name = c_names(e.name for e in self.context.router.elements)[self.name]
        all_hooks = prototypes(name) + chain(name, self.cfg.extensions)
        return f'#include "tcp/layer.h"\nLASTING(struct tcp_connections, all);\n{ROW.c_structure("SELF(row)")}{all_hooks}'

    def take_state(self, before: Self) -> None:
        """Take connections as far as there is room; peers of the others run into timeouts."""
        where = (ctypes.c_void_p * 1)()
        before.runtime.control("WHERE", where)
        left = self.runtime.control("TAKE", where)
        if left:
            warn(self, f"{left} connections are lost, for lack of room or because BUFFER is another")

    @read_handler
    def table(self) -> str:
        """a line for each connection: its number, own address and port, the peer's, the state, and bytes waiting to be
        acknowledged."""
        if self.runtime is None:
            return ""
        rows = (ROW.struct * self.cfg.capacity)()
        return "".join(map(_line, rows[: self.runtime.control("COPY", rows)]))

    vars().update((name, sum_handler("counters", text=text)) for name, text in COUNTED.items())


def _line(row: Any) -> str:
    own, own_port, peer, peer_port = unpack("!16sH16sH4x", bytes(row.key))
    ends = f"{_address(own)} {own_port} {_address(peer)} {peer_port}"
    return f"{row.number} {ends} {State(row.state).name.replace('_', '-')} {row.held}\n"


def _address(digits: bytes) -> IPv4Address | IPv6Address:
    address = IPv6Address(digits)
    return address.ipv4_mapped or address
