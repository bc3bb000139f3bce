from clickbpf.declare import ANEW, LOST, Bool, Held, Integer, Keyword, Private, ptr, sum_handler, u32, u64

from ._tcp import TCP, WAY, TCPOpener


class TCPSource(TCPOpener, ports="0-1/1", flow="x/y"):
    """opens TCP connections and sends data by them

    A load generator: begins RATE connections a second, as long as there are fewer than CONNECTIONS, from SRC and ports of its choice to
    port DPORT of DST. Each sends LENGTH bytes, of which the one at offset i is i modulo 251, and closes. What the connections receive may
    be pushed into the input: it is counted and discarded.

    Ports: one push input, or none; one push output, for TCPOutput.

    Handlers:

      - `begun`, `over`, `received` (read): connections begun, those of them that are over, and bytes received.

    Example: a thousand connections a second, of ten thousand bytes each, to an echo server that Linux has at 192.0.2.1:

        tcp :: TCPConnections(1000);
        source :: TCPSource(tcp, 192.0.2.9, 192.0.2.1, 7, RATE 1000, LENGTH 10000, CONNECTIONS 100)
            -> TCPOutput(tcp) -> tun :: KernelTun(192.0.2.1/24) -> TCPLookup(tcp) -> TCPListen(tcp) -> TCPSynSent(tcp) -> TCPTrim(tcp)
            -> TCPReset(tcp) -> TCPAcknowledge(tcp) -> TCPReassemble(tcp) -> TCPFin(tcp) -> source;
    """

    wakes = ("timer",)
    args = (
        TCP,
        *WAY,
        Keyword("RATE", Integer(32, low=1), 10, "connections to begin in a second"),
        Keyword("LENGTH", Integer(64), 0, "bytes that each sends"),
        Keyword("CONNECTIONS", Integer(32, low=1, high=1 << 20), 1, "connections at a time"),
        Keyword("LIMIT", Integer(64, signed=True), -1, "how many connections to begin; for ever if it is negative"),
        Keyword("STOP", Bool(), False, "whether to stop the driver once LIMIT connections are over"),
    )
    state_types = {"source": Private(one=ptr, start=u64, begun=u64, over=u64, received=u64, cursor=u32, live=u32)}
    holds = (Held("connections", LOST, LOST), Held("counts", ANEW, ANEW))

    begun = sum_handler("source")
    over = sum_handler("source")
    received = sum_handler("source")
