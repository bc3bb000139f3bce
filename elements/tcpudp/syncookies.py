from clickbpf.declare import MARKED, PUSH, ArgError, Element, IPPort, Raw, Rest, Vars, read_each, u64


class SYNCookies(Element, ports="1/2", processing=PUSH):
    """answers SYNs, and remembers nothing

    Put it before a TCP of elements (TCPConnections), whose TCPListen names it: a flood of SYNs is then answered in the kernel, and
    takes no connections or memory there. The sequence number of an answer is a keyed hash of addresses, ports and time (RFC 4987,
    3.6), with one of four maximum segment sizes in its last two bits. Only a segment that acknowledges the number, within a minute
    or two, begins a connection, without the SYN's options.

    Packets have a marked IPv4 header. SYNs to one of the ports become answers, which leave by output 1. An answer keeps the
    Ethernet header of the SYN, if exactly 14 bytes precede the IP header; otherwise nothing precedes the IP header. The destination
    address annotation is set. Other packets, also SYNs with a FIN, leave by output 0. Checksums aren't verified: put CheckTCPHeader
    before it.

    Packets with IP options are left to the runtime.

    Ports: one push input; push output 0 for other packets, output 1 for answers.

    Example:

        FromDevice(eth0) -> CheckIPHeader(14) -> CheckTCPHeader -> cookies :: SYNCookies(7) -> Strip(14) -> TCPLookup(tcp)
            -> TCPListen(tcp, 7, COOKIES cookies) -> TCPSynSent(tcp) -> TCPTrim(tcp) -> TCPReset(tcp) -> TCPAcknowledge(tcp)
            -> TCPReassemble(tcp) -> TCPFin(tcp) -> TCPEcho(tcp) -> TCPOutput(tcp)
            -> EtherEncap(0x0800, 02:00:00:00:00:01, 02:00:00:00:00:02) -> out :: Queue -> ToDevice(eth0);
        cookies[1] -> EtherMirror -> out;
        tcp :: TCPConnections(1000);
    """

    takes = (MARKED,)
    args = (Rest("PORT", Raw(), "ports of TCP"),)
    annotations = ("DST_IP",)
    state_types = {"vars": Vars(key=u64 * 2)}
    holds = ()
    weight = 600

    def configure(self) -> None:
        if not self.cfg.port:
            raise ArgError("there is no port to answer for", argument="PORT")
        self.ports_answered = read_each("PORT", self.cfg.port, lambda text, _: IPPort(6).parse(text, self.context))

    def code(self) -> str:
        test = " || ".join(f"port == {port}" for port in sorted(set(self.ports_answered)))
        return f"static __always_inline bool SELF(answers)(__u16 port)\n{{\n\treturn {test};\n}}\n"
