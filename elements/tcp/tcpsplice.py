from clickbpf.declare import IPPort, Required

from ._tcp import TCP, WAY, TCPOpener


class TCPSplice(TCPOpener, ports="1/1"):
    """joins TCP connections with others: a proxy

    For each connection that a peer opens to PORT, TCPSplice opens one from SRC, an address of the router, to port DPORT of DST, at once,
    because servers may speak first. Each connection sends what the other receives. A window holds back a side that sends faster than the
    other side accepts. A FIN on one connection is sent on the other; a connection that is reset, times out or isn't established resets
    the other.

    Put it between TCPFin and TCPOutput: the data of both connections must pass it. A hot swap keeps the pairs.

    Ports: one push input, one push output.

    Example: a server that only the router can reach. TCPListen's COOKIES, with SYNCookies, would keep floods of SYNs from both.

        tcp :: TCPConnections(1000, EXTENSIONS slowstart fastrecovery);
        tun :: KernelTun(192.0.2.1/24) -> TCPLookup(tcp) -> TCPListen(tcp, 80) -> TCPSynSent(tcp) -> TCPTrim(tcp) -> TCPReset(tcp)
            -> TCPAcknowledge(tcp) -> TCPReassemble(tcp) -> TCPFin(tcp) -> TCPSplice(tcp, 80, 192.0.2.9, 192.0.2.1, 8080)
            -> TCPOutput(tcp) -> tun;
    """

    args = (TCP, Required("PORT", IPPort(6), "where connections that it joins come to"), *WAY)
