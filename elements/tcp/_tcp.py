"""What TCP's elements share with each other, and with their C."""

from enum import IntEnum
from ipaddress import IPv4Address, IPv6Address
from typing import Any

from clickbpf.declare import (
    USER, ArgError, Companion, ElementRef, IP6Address, IPAddress, IPPort, OneOf, Private, Required, c_enum, c_names, u64,
)

from ._extensions import prototypes


class State(IntEnum):
    """States of a connection (RFC 9293, 3.3.2). LISTEN isn't one of them: TCPListen has no connection."""

    CLOSED, SYN_SENT, SYN_RECEIVED, ESTABLISHED, FIN_WAIT_1, FIN_WAIT_2, CLOSE_WAIT, CLOSING, LAST_ACK, TIME_WAIT = range(10)


class Timer(IntEnum):
    """A connection's timers: for retransmission and closed windows; for extensions; for the end of a state."""

    TIMER_RETRANSMIT, TIMER_DELAY, TIMER_LINGER, TIMERS = range(4)


#: TCPConnections' counters, in the order of its handlers.
COUNTED = {
    "accepted": "established connections begun by others",
    "opened": "established connections begun by this side",
    "ended": "connections closed by both sides",
    "resets": "connections ended by a reset from the peer",
    "aborted": "connections ended for lack of replies or memory, or because their application couldn't continue",
    "silent": "those among the aborted ones that didn't answer keep-alive probes",
    "displaced": "connections, not yet established or over, that made room for others",
    "received": "bytes received in order",
    "sent": "bytes acknowledged",
    "segments": "segments sent",
    "retransmitted": "segments retransmitted",
    "challenges": "challenge acknowledgements, of segments that may be forged (RFC 5961)",
}
COUNTERS = Private(**dict.fromkeys(COUNTED, u64))


class Address(OneOf):
    """An address of either version; in C its 16 bytes, mapped into IPv6 if it is of IPv4."""

    c_type = "__u8[16]"

    def c_value(self, value: IPv4Address | IPv6Address) -> str:
        return IP6Address().c_value(value if value.version == 6 else IPv6Address(f"::ffff:{value}"))


#: The arguments: the connections; and the addresses and the port of those that a TCPOpener opens.
TCP = Required("TCP", ElementRef("TCPConnections"), "the name of the TCPConnections with the connections")
ADDRESS = Address(IPAddress(), IP6Address())
WAY = (Required("SRC", ADDRESS), Required("DST", ADDRESS), Required("DPORT", IPPort(6)))

#: What manual pages have if they don't have their own: the ports of a step, and the whole chain.
PORTS = """

    Ports: one push input; push output 0, and output 1 (may be missing) for segments that end here.
    """
EXAMPLE = """

    Example:

        tcp :: TCPConnections(1000);
        tun :: KernelTun(192.0.2.1/24) -> TCPLookup(tcp) -> TCPListen(tcp, 7, 9) -> TCPSynSent(tcp) -> TCPTrim(tcp) -> TCPReset(tcp)
            -> TCPAcknowledge(tcp) -> TCPReassemble(tcp) -> TCPFin(tcp) -> port :: IPClassifier(dst tcp port 7, -);
        port[0] -> TCPEcho(tcp) -> TCPOutput(tcp) -> tun;
        port[1] -> TCPDiscard(tcp);
    """


def numbers() -> str:
    """tcpnumbers.h: states, timers, and the counters."""
    return c_enum("TCP_", {**State.__members__, **Timer.__members__}) + COUNTERS.c_structure("tcp_counters")


class TCPElement(Companion, processing="h/h", runs=USER):
    """An element with the argument TCP; in C, connections() are its connections, and HOOK_OF(name) is one of their hooks."""

    headers = {"tcpnumbers.h": numbers}
    args = (TCP,)
    annotations = ("AGGREGATE",)
    holds = ()

    def __init_subclass__(cls, **options: Any) -> None:
        for heading, text in (("Ports:", PORTS if options.get("ports") == "1/1-2" else ""), ("Example:", EXAMPLE)):
            if heading not in (cls.__doc__ or ""):
                cls.__doc__ = f"{(cls.__doc__ or '').rstrip()}{text}"
        super().__init_subclass__(**options)

    def works_on(self) -> set[str]:
        return {self.cfg.tcp}

    def others(self, class_name: str) -> list[str]:
        """Other elements of a class that name the same connections."""
        router = self.context.router
        found = [e for e in router.elements if e.class_name == class_name and e.name != self.name] if router else []
        return [e.name for e in found if self.context.find(e.config.split(",")[0].strip()) == self.cfg.tcp]

    def code(self) -> str:
        name = c_names(e.name for e in self.context.router.elements)[self.cfg.tcp]
        return (
            f'#include "tcp/step.h"\n#undef CONNECTIONS\n#define CONNECTIONS {name}\n'
            f"LASTING_OF(struct tcp_connections, {name}_all);\n{prototypes(name)}"
        )


class TCPOpener(TCPElement):
    """An element that opens connections, with the arguments WAY."""

    def configure(self) -> None:
        if type(self.cfg.src) is not type(self.cfg.dst):
            raise ArgError("SRC and DST are of different versions of IP", argument="DST")
