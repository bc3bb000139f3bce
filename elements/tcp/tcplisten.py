from clickbpf.declare import ArgError, ElementRef, IPPort, Keyword, Raw, Rest, c_names, read_each

from ._tcp import TCP, TCPElement


class TCPListen(TCPElement, ports="1/1-2"):
    """accepts TCP connections to some ports

    The second step of a TCP (TCPConnections): states LISTEN and CLOSED. A SYN to one of the ports begins a connection. Other
    segments without a connection are refused with a reset. Segments of connections pass. A SYN with a sequence number beyond the
    data that a connection in TIME-WAIT has received begins a new connection (RFC 6191, without timestamps). A SYN with a FIN is ignored.
    """

    args = (
        TCP,
        Rest("PORT", Raw(), "TCP ports; none to refuse all connections"),
        Keyword("COOKIES", ElementRef("SYNCookies"), text="the SYNCookies that answers SYNs: an acknowledgement of such an answer begins "
            "a connection"),
    )

    def configure(self) -> None:
        self.ports_heard = read_each("PORT", self.cfg.port, self._port)

    def _port(self, text: str, _: int) -> int:
        port = IPPort(6).parse(text, self.context)
        if not port:
            raise ArgError("0 is no port")
        return port

    def code(self) -> str:
        test = " || ".join(f"port == {port}" for port in sorted(set(self.ports_heard))) or "false"
        names = c_names(e.name for e in self.context.router.elements)
        asked = f"{names[self.cfg.cookies]}_accepted" if self.cfg.cookies else ""
        declared = f"static __u32 {asked}(struct pkt *p);\n" if asked else ""
        cookie = f"{declared}static __u32 SELF(accepted)(struct pkt *p UNUSED)\n{{\n\treturn {asked + '(p)' if asked else 0};\n}}\n"
        return f"{super().code()}{cookie}static bool SELF(listens)(__u16 port UNUSED)\n{{\n\treturn {test};\n}}\n"
