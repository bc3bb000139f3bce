"""What the elements that work on a TCPConnections' connections have in common."""

from typing import Any

from clickbpf.declare import USER, Companion, ElementRef, Required, c_names

from ._extensions import prototypes
from ._structures import HEADERS

TCP = Required("TCP", ElementRef("TCPConnections"), "the name of the TCPConnections that has the connections")
#: The manual page's example of all classes that have none of their own: the whole line.
EXAMPLE = """

    Example:

        tcp :: TCPConnections(1000);
        tun :: KernelTun(192.0.2.1/24) -> TCPLookup(tcp) -> TCPListen(tcp, 7, 9) -> TCPSynSent(tcp) -> TCPTrim(tcp) -> TCPReset(tcp)
            -> TCPAcknowledge(tcp) -> TCPReassemble(tcp) -> TCPFin(tcp) -> port :: IPClassifier(dst tcp port 7, -);
        port[0] -> TCPEcho(tcp) -> TCPOutput(tcp) -> tun;
        port[1] -> TCPDiscard(tcp);
    """


class TCPElement(Companion, processing="h/h", runs=USER):
    """An element with the argument TCP; in C, connections() are those, and HOOK_OF(name) is a hook of theirs."""

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

    def code(self) -> str:
        name = c_names(e.name for e in self.context.router.elements)[self.cfg.tcp]
        return (
            f'#include "tcp/step.h"\n#undef CONNECTIONS\n#define CONNECTIONS {name}\n'
            f"LASTING_OF(struct tcp_connections, {name}_all);\n{prototypes(name)}"
        )
