"""The base of the elements that work on the connections of a TCPConnections."""

from ipaddress import IPv4Address, IPv6Address
from typing import Any

from clickbpf.declare import USER, ArgError, Companion, ElementRef, IP6Address, IPAddress, IPPort, OneOf, Required, c_names

from ._extensions import prototypes
from ._structures import HEADERS

TCP = Required("TCP", ElementRef("TCPConnections"), "the name of the TCPConnections with the connections")
ADDRESS = OneOf(IPAddress(), IP6Address())
#: The addresses and the port of the connections that a TCPOpener opens.
WAY = (Required("SRC", ADDRESS), Required("DST", ADDRESS), Required("DPORT", IPPort(6)))
#: The example in manual pages of classes without their own: the whole chain.
EXAMPLE = """

    Example:

        tcp :: TCPConnections(1000);
        tun :: KernelTun(192.0.2.1/24) -> TCPLookup(tcp) -> TCPListen(tcp, 7, 9) -> TCPSynSent(tcp) -> TCPTrim(tcp) -> TCPReset(tcp)
            -> TCPAcknowledge(tcp) -> TCPReassemble(tcp) -> TCPFin(tcp) -> port :: IPClassifier(dst tcp port 7, -);
        port[0] -> TCPEcho(tcp) -> TCPOutput(tcp) -> tun;
        port[1] -> TCPDiscard(tcp);
    """


class TCPElement(Companion, processing="h/h", runs=USER):
    """An element with the argument TCP; in C, connections() are its connections, and HOOK_OF(name) is one of their hooks."""

    headers = HEADERS
    args = (TCP,)
    annotations = ("AGGREGATE",)
    holds = ()

    def __init_subclass__(cls, **options: Any) -> None:
        if "Example:" not in (cls.__doc__ or ""):
            cls.__doc__ = f"{(cls.__doc__ or '').rstrip()}{EXAMPLE}"
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
    """An element that opens connections, with the arguments WAY; in C, SELF(own) and SELF(peer) are the addresses."""

    def configure(self) -> None:
        if type(self.cfg.src) is not type(self.cfg.dst):
            raise ArgError("SRC and DST are of different versions of IP", argument="DST")

    def code(self) -> str:
        named = (("own", self.cfg.src), ("peer", self.cfg.dst))
        return super().code() + "".join(f"static const __u8 SELF({name})[16] = {_mapped(address)};\n" for name, address in named)


def _mapped(address: IPv4Address | IPv6Address) -> str:
    """Its 16 bytes in C, mapped into IPv6 if it is of IPv4."""
    return IP6Address().c_value(address if address.version == 6 else IPv6Address(f"::ffff:{address}"))
