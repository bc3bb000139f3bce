from clickbpf.declare import ANEW, LOST, Bool, Held, Integer, Keyword, Private, ptr, sum_handler, u32, u64

from ._tcp import TCP, WAY, TCPOpener


class TCPSource(TCPOpener, ports="0-1/1", flow="x/y"):
    """opens TCP connections and sends data

    A load generator: begins RATE connections a second, up to CONNECTIONS at a time, from SRC and ports of its choice to port DPORT
    of DST. Each sends LENGTH bytes, the one at offset i being i modulo 251, and closes. Received data may be pushed into the input:
    it is counted and discarded.

    Ports: one push input, or none; one push output, for TCPOutput.

    Example: a thousand connections a second, of ten thousand bytes each, to Linux's echo server at 192.0.2.1:

        tcp :: TCPConnections(1000);
        source :: TCPSource(tcp, 192.0.2.9, 192.0.2.1, 7, RATE 1000, LENGTH 10000, CONNECTIONS 100)
            -> TCPOutput(tcp) -> tun :: KernelTun(192.0.2.1/24) -> TCPLookup(tcp) -> TCPListen(tcp) -> TCPSynSent(tcp) -> TCPTrim(tcp)
            -> TCPReset(tcp) -> TCPAcknowledge(tcp) -> TCPReassemble(tcp) -> TCPFin(tcp) -> source;
    """

    wakes = ("timer",)
    args = (
        TCP,
        *WAY,
        Keyword("RATE", Integer(32, low=1), 10, "connections to begin per second"),
        Keyword("LENGTH", Integer(64), 0, "bytes that each connection sends"),
        Keyword("CONNECTIONS", Integer(32, low=1, high=1 << 20), 1, "the most connections at a time"),
        Keyword("LIMIT", Integer(64, signed=True), -1, "how many connections to begin; negative for no limit"),
        Keyword("STOP", Bool(), False, "whether to stop the driver once LIMIT connections are over"),
    )
    state_types = {"source": Private(one=ptr, start=u64, begun=u64, over=u64, received=u64, cursor=u32)}
    holds = (Held("connections", LOST, LOST), Held("counts", ANEW, ANEW))

    begun = sum_handler("source", text="connections begun")
    over = sum_handler("source", text="connections over")
    received = sum_handler("source", text="bytes received")
